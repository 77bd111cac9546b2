// Offers names while one types: a combobox with a listbox, by the ARIA Authoring Practices.
// Without it the form is sent and the page answers.
const MOST = 8;
const WHOLE = /\b(urn:[a-z0-9-]+:[^?#>"]+|ark:\/?[^/?#>"]+\/[^?#>"]+)/i; // a name of a thing, in an address too
const wordsOf = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

// how many edits make one word of another, or `most` + 1; two neighbours swapped are one
function distance(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before, row = [...Array(other.length + 1).keys()];
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const changed = row[to - 1] + (one[at - 1] !== other[to - 1]);
      const isSwapped = before && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      next.push(Math.min(row[to] + 1, next[to - 1] + 1, changed, isSwapped ? before[to - 2] + 1 : Infinity));
    }
    if (Math.min(...next, ...row) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row.at(-1);
}

// the lower the better; nothing for what is not meant
function rank({ nid, words }, whole, asked) {
  if (nid === whole) return 0;
  if (nid.startsWith(whole)) return 1;
  if (whole.length > 1 && nid.includes(whole)) return 2;
  if (asked.length && asked.every((word) => words.some((one) => one.startsWith(word)))) return 3;
}

function guess({ nid, words, others, far }, whole, asked) {
  const most = whole.length > 4 ? far : 1;
  if (whole.length > 2 && distance(nid, whole, most) <= most) return 4;
  const every = words.concat(others);
  if (asked.length && asked.every((word) => word.length > 2 && every.some((one) => one.startsWith(word)))) return 5;
  const isLike = (word) => words.some((one) => distance(one, word, 1) <= 1);
  return asked.length && asked.every((word) => word.length > 3 && isLike(word)) ? 6 : undefined;
}

function suggest(form, field) {
  const filters = form.dataset.filter !== undefined; // there the rows show what matches
  const list = document.createElement("ul");
  const told = document.createElement("span");
  let reading, active = -1, asking = 0;
  list.id = `${field.id}_list`;
  Object.assign(list, { className: "suggestions plain", hidden: true, role: "listbox", ariaLabel: "Names" });
  Object.assign(told, { className: "vh", role: "status" });
  Object.assign(field, { role: "combobox", ariaAutoComplete: "list", ariaExpanded: "false" });
  field.setAttribute("aria-controls", list.id);
  field.after(list, told);

  const options = () => [...list.children];

  async function rowsOf(path) {
    const answer = await fetch(path);
    if (answer.status >= 500) throw answer; // an edition is being made
    const { written = "urn:{}:", page = "/namespaces/{}", rows } = answer.ok ? await answer.json() : { rows: [] };
    return rows.map(([nid, title, names, others = ""]) => ({
      nid,
      words: wordsOf(`${nid} ${title} ${names}`),
      others: wordsOf(others),
      whole: written.replace("{}", nid),
      far: written.startsWith("urn:") ? 2 : 1, // numbers are all alike
      href: page.replace("{}", encodeURIComponent(nid)),
      about: [title, names].filter(Boolean).join(", for "),
    }));
  }

  function read() {
    const later = () => setTimeout(() => (reading = undefined), 3000) && []; // asked again
    reading ??= Promise.all(form.dataset.suggest.split(" ").map((path) => rowsOf(path).catch(later))).then((all) => all.flat());
    return reading;
  }

  // a name as its page tells it, and what it was meant for; of a number that alone
  async function tell(name) {
    const pageOf = (one) => `/names/${encodeURI(one).replaceAll("/", "%2F")}`;
    const answer = await fetch(pageOf(name), { headers: { Accept: "application/json" } }).catch(() => {});
    const told = (answer && answer.status < 500 && (await answer.json().catch(() => {}))) || {};
    const target = told.target ?? told.services?.find((one) => one.sure)?.target;
    const about = target ? `redirects to ${target}` : (told.detail ?? told.grounds?.[0]?.message)?.replaceAll("`", "");
    const whole = told.normal_form;
    const itself = about && whole ? [{ whole, href: pageOf(whole), about }] : [];
    return told.corrected ? itself.concat(await tell(told.corrected)) : itself;
  }

  function mark(at) {
    active = at;
    options().forEach((option, n) => (option.ariaSelected = n === at));
    const option = options()[at];
    if (!option) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function close() {
    asking++; // what is looked for comes too late
    list.hidden = true;
    field.ariaExpanded = "false";
    told.textContent = "";
    mark(-1);
  }

  function optionOf({ whole, href, about }, n) {
    const option = document.createElement("li");
    const name = document.createElement("bdi");
    const words = document.createElement("span");
    Object.assign(option, { id: `${list.id}_${n}`, role: "option" });
    option.dataset.href = href;
    Object.assign(name, { className: "id", translate: false, textContent: whole });
    words.textContent = about;
    option.append(name, " ", words);
    return option;
  }

  async function offer() {
    const typed = field.value.trim(), turn = ++asking;
    const name = !filters && typed.length < 200 && (WHOLE.exec(typed)?.[1] ?? (/(\d\D*){7}/.test(typed) && typed));
    if (name) await new Promise((done) => setTimeout(done, 200)); // one pauses
    if (turn !== asking) return;
    let found = name ? await tell(name) : [];
    if (!found.length) found = await find(typed.toLowerCase());
    if (turn !== asking || document.activeElement !== field) return;
    if (!found.length) return close();
    list.replaceChildren(...found.map(optionOf));
    list.hidden = false;
    list.style.insetBlockStart = `${field.offsetTop + field.offsetHeight + 2}px`; // labels may wrap
    field.ariaExpanded = "true";
    mark(-1);
    told.textContent = `${list.children.length} suggested, use the arrow keys`;
  }

  async function find(typed) {
    const [, scheme = "", whole] = /^(urn:|ark:\/?)?(.*?)[:/]?$/.exec(typed);
    if (!whole || whole.length > 60 || whole.includes(":")) return []; // its page judges
    const asked = wordsOf(whole);
    const known = (await read()).filter((one) => one.whole.startsWith(scheme.replace("/", "")));
    const ranks = (how) => known.map((one) => [how(one, whole, asked), one]).filter(([order]) => order !== undefined);
    let ranked = ranks(rank);
    if (!ranked.some(([order]) => order < 2)) ranked = ranks((...one) => rank(...one) ?? guess(...one));
    if (filters && ranked.some(([order]) => order < 4)) return [];
    return ranked.sort(([a], [b]) => a - b).slice(0, MOST).map(([, one]) => one);
  }

  const go = (option) => location.assign(option.dataset.href);
  field.addEventListener("focus", read, { once: true });
  field.addEventListener("input", offer);
  field.addEventListener("blur", close);
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) go(option);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) return offer();
      const count = options().length + 1; // the field itself is a place on the way round
      mark(((active + 1 + (key === "ArrowDown" ? 1 : count - 1)) % count) - 1);
    } else if (key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if (key === "Enter" && !list.hidden && active >= 0) {
      event.preventDefault();
      go(options()[active]);
    }
  });
}

for (const form of document.querySelectorAll("[data-suggest]")) suggest(form, form.elements.q);
