// Offers namespaces while one types: a combobox with a listbox, by the ARIA Authoring Practices.
// Without it, or without its file, the form is sent and the page answers.
const MOST = 8;
const wordsOf = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

// how many edits make one word of another, or `most` + 1; two neighbours that change places are one
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

// the lower the better; nothing for what has nothing to do with the words
function rank({ nid, words, others }, whole, asked) {
  if (nid === whole) return 0;
  if (nid.startsWith(whole)) return 1;
  if (whole.length > 1 && nid.includes(whole)) return 2;
  if (asked.length && asked.every((word) => words.some((one) => one.startsWith(word)))) return 3;
  const most = whole.length > 4 ? 2 : 1;
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
  Object.assign(list, { className: "suggestions plain", hidden: true, role: "listbox" });
  list.setAttribute("aria-label", "Namespaces");
  told.className = "vh";
  told.setAttribute("role", "status");
  const attributes = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id };
  for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
  field.after(list, told);

  const options = () => [...list.children];
  const isOpen = () => !list.hidden;

  function read() {
    reading ??= fetch(form.dataset.suggest)
      .then((answer) => {
        if (answer.status >= 500) reading = undefined; // the edition is being made: asked again
        return answer.ok ? answer.json() : { rows: [] };
      })
      .then(({ rows }) => rows.map(([nid, title, names, others = ""]) => ({ nid, title, names, words: wordsOf(`${nid} ${title} ${names}`), others: wordsOf(others) })))
      .catch(() => []);
    return reading;
  }

  function mark(at) {
    active = at;
    options().forEach((option, n) => option.setAttribute("aria-selected", String(n === at)));
    const option = options()[at];
    if (!option) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function close() {
    asking++; // what is still being looked for comes too late
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    told.textContent = "";
    mark(-1);
  }

  function optionOf({ nid, title, names }, n) {
    const option = document.createElement("li");
    const name = document.createElement("bdi");
    const about = document.createElement("span");
    Object.assign(option, { id: `${list.id}_${n}`, role: "option" });
    option.dataset.href = `/namespaces/${encodeURIComponent(nid)}`;
    Object.assign(name, { className: "id", translate: false, textContent: `urn:${nid}:` });
    about.textContent = [title, names].filter(Boolean).join(", for ");
    option.append(name, " ", about);
    return option;
  }

  async function offer() {
    const typed = field.value.trim();
    const whole = typed.toLowerCase().replace(/^urn:/, "");
    if (!whole || whole.length > 60 || whole.replace(/:$/, "").includes(":")) return close(); // a whole name is for the page to judge
    const turn = ++asking;
    const every = await read();
    if (turn !== asking || document.activeElement !== field) return;
    const asked = wordsOf(whole);
    const ranked = every.map((one) => [rank(one, whole.replace(/:$/, ""), asked), one]).filter(([order]) => order !== undefined);
    if (!ranked.length || (filters && ranked.some(([order]) => order < 4))) return close();
    ranked.sort(([a], [b]) => a - b);
    list.replaceChildren(...ranked.slice(0, MOST).map(([, one], n) => optionOf(one, n)));
    list.hidden = false;
    list.style.insetBlockStart = `${field.offsetTop + field.offsetHeight + 2}px`; // labels wrap on small screens
    field.setAttribute("aria-expanded", "true");
    mark(-1);
    told.textContent = `${list.children.length} suggested, use the arrow keys`;
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
      if (!isOpen()) return offer();
      const count = options().length + 1; // the field itself is a place on the way round
      mark(((active + 1 + (key === "ArrowDown" ? 1 : count - 1)) % count) - 1);
    } else if (key === "Escape" && isOpen()) {
      event.preventDefault();
      close();
    } else if (key === "Enter" && isOpen() && active >= 0) {
      event.preventDefault();
      go(options()[active]);
    }
  });
}

for (const form of document.querySelectorAll("[data-suggest]")) suggest(form, form.elements.q);
