// Filters rows as one types: here where the page has all of them, else by asking. Sorts them.
const collator = new Intl.Collator("en", { numeric: true });
// cut as the server does: no case, no accents, letters and digits also apart
const wordsOf = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const rows = [...document.querySelectorAll(".registry tbody tr")].map((row) => {
  const words = wordsOf(row.textContent).flatMap((word) => [word, ...word.match(/\p{L}+|\p{N}+/gu)]);
  const ends = wordsOf(row.id).flatMap((word) => [...word].map((_, at) => word.slice(at)).slice(0, -1));
  return { row, text: ` ${[`urn:${row.id}:`, ...words, ...ends].join(" ")} ` };
});

// of a URN the namespace counts; the last word may be unfinished
function asked(query) {
  const found = query.split(/\s+/).flatMap((word) => {
    const urn = /^urn:[a-z0-9-]+(:?)/i.exec(word);
    return urn ? [` ${urn[0].toLowerCase()}${urn[1] && " "}`] : wordsOf(word).map((one) => ` ${one} `);
  });
  const last = found.pop();
  return last ? [...found, last.endsWith(": ") ? last : last.trimEnd()] : [];
}

function remember(changes) {
  const url = new URL(location);
  for (const [name, value] of Object.entries(changes)) {
    url.searchParams.delete(name);
    if (value) url.searchParams.set(name, value);
  }
  history.replaceState(null, "", url);
}

const form = document.querySelector(".filter");
const field = form.elements.q;

if (!form.dataset.filter) {
  let shown = field.value, isAsking, later;

  // one at a time: what is typed meanwhile comes next
  async function ask() {
    while (!isAsking && shown !== field.value) {
      isAsking = true;
      shown = field.value;
      const address = new URL(form.action), words = new URLSearchParams(new FormData(form));
      if (!shown.trim()) words.delete("q");
      address.search = words;
      const text = await fetch(address).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
      const page = new DOMParser().parseFromString(text, "text/html").querySelector(".split");
      if (page) show(page);
      isAsking = false;
    }
  }

  // all but the field, in which one goes on typing
  function show(page) {
    const [other, rail] = [".filter", ".rail"].map((part) => page.querySelector(part));
    document.querySelector(".rail").replaceWith(rail);
    form.querySelector("output").replaceChildren(...other.querySelector("output").childNodes);
    while (form.nextSibling) form.nextSibling.remove();
    while (other.nextSibling) form.parentElement.append(other.nextSibling);
    form.parentElement.className = other.parentElement.className;
    remember({ q: shown.trim(), after: "" });
  }

  field.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(ask, 200);
  });
} else if (rows.length) {
  const [count, none, asking, check, like] = ["count", "none", "none_q", "none_check", "none_like"].map((id) => document.getElementById("filter_" + id));
  let telling;

  function filter() {
    const words = asked(field.value);
    const isBlank = !field.value.trim();
    for (const { row, text } of rows) row.hidden = !isBlank && !(words.length && words.every((word) => text.includes(word)));
    const shown = rows.filter(({ row }) => !row.hidden).length;
    for (const table of document.querySelectorAll(".registry")) {
      table.closest("section").hidden = !table.querySelector("tbody tr:not([hidden])");
    }
    form.parentElement.classList.toggle("filtering", !isBlank);
    none.hidden = shown > 0;
    asking.textContent = field.value;
    document.querySelector(".facets").hidden = !isBlank;
    if (like) like.search = new URLSearchParams({ q: field.value });
    if (check) check.search = new URLSearchParams({ q: field.value });
    clearTimeout(telling);
    telling = setTimeout(() => {
      count.textContent = !isBlank ? `${shown} of ${form.dataset.filter} ${shown === 1 ? "matches" : "match"}.` : `Showing all ${form.dataset.filter}.`;
      remember({ q: field.value.trim() });
    }, 300);
  }

  // what names are for stands in no row, but the server finds it too
  async function learn() {
    const answer = await fetch(form.dataset.suggest).catch(() => {});
    const { rows: known } = answer?.ok ? await answer.json() : { rows: [] };
    const said = new Map(known.map(([nid, ...words]) => [nid, wordsOf(words.join(" ")).join(" ")]));
    for (const one of rows) one.text += `${said.get(one.row.id) ?? ""} `;
    if (field.value) filter();
  }

  field.addEventListener("focus", learn, { once: true });
  field.addEventListener("input", filter);
  form.addEventListener("submit", (event) => none.hidden && event.preventDefault()); // else asked for what is like it
  form.querySelector("button").hidden = true;
  if (field.value) filter();
}

// what has no value comes last in either order
function sortBy(column, descending) {
  for (const table of document.querySelectorAll(".registry")) {
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [row.cells[column].dataset.key ?? row.cells[column].textContent.trim(), row]);
    const known = keyed.filter(([key]) => key).sort(([a], [b]) => collator.compare(a, b) * (descending ? -1 : 1));
    body.append(...[...known, ...keyed.filter(([key]) => !key)].map(([, row]) => row));
    for (const heading of table.tHead.rows[0].cells) {
      const here = heading.cellIndex === column;
      heading.removeAttribute("aria-sort");
      const [order, shape] = descending ? ["descending", "down"] : ["ascending", "up"];
      if (here) heading.setAttribute("aria-sort", order);
      const use = heading.querySelector("use");
      use.setAttribute("href", `${use.getAttribute("href").split("#")[0]}#${here ? shape : "sort"}`);
    }
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-sort] thead a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const heading = link.closest("th");
  const descending = heading.getAttribute("aria-sort") === "ascending";
  sortBy(heading.cellIndex, descending);
  remember({ sort: new URL(link.href).searchParams.get("sort"), order: descending && "desc" });
});
