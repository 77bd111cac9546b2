// Filters and sorts the rows in place. Without script, the form and the headings ask the server.
const collator = new Intl.Collator("en", { numeric: true });
// words as the server cuts them: without case and accents, letters and digits also apart
const wordsOf = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const rows = [...document.querySelectorAll(".registry tbody tr")].map((row) => {
  const words = wordsOf(row.textContent).flatMap((word) => [word, ...word.match(/\p{L}+|\p{N}+/gu)]);
  const ends = wordsOf(row.id).flatMap((word) => [...word].map((_, at) => word.slice(at)).slice(0, -1));
  return { row, text: ` ${[`urn:${row.id}:`, ...words, ...ends].join(" ")} ` };
});

// of a URN, only the namespace counts; the last word may be the beginning of one
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
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  history.replaceState(null, "", url);
}

// ---- filter: only where the page holds every row
const form = document.querySelector("[data-filter]");

function startFilter() {
  const field = form.elements.q;
  const count = document.getElementById("filter_count");
  const none = document.getElementById("filter_none");
  const total = `${rows.length.toLocaleString("en")} namespace${rows.length === 1 ? "" : "s"}`;
  let telling;

  function filter() {
    const words = asked(field.value);
    const isBlank = !field.value.trim();
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !isBlank && !(words.length && words.every((word) => text.includes(word)));
      if (!row.hidden) shown += 1;
    }
    for (const table of document.querySelectorAll(".registry")) {
      table.closest("section").hidden = !table.querySelector("tbody tr:not([hidden])");
    }
    form.parentElement.classList.toggle("filtering", !isBlank);
    none.hidden = shown > 0;
    document.getElementById("filter_none_q").textContent = field.value;
    document.querySelector(".facets").hidden = !isBlank; // they count what the page began with
    const check = document.getElementById("filter_none_check");
    if (check) check.search = new URLSearchParams({ q: field.value });
    clearTimeout(telling); // told once typing pauses, not at every key
    telling = setTimeout(() => {
      count.textContent = !isBlank ? `${shown} of ${total} ${shown === 1 ? "matches" : "match"}.` : `Showing all ${total}.`;
      remember({ q: field.value.trim() });
    }, 300);
  }

  field.addEventListener("input", filter);
  form.addEventListener("submit", (event) => { event.preventDefault(); filter(); });
  form.querySelector("button").hidden = true;
  if (field.value) filter(); // what the browser kept on the way back
}

if (form && rows.length) startFilter();

// ---- sort: what has no value comes last in either order
const value = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();

function sortBy(column, descending) {
  for (const table of document.querySelectorAll(".registry")) {
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [value(row, column), row]);
    const known = keyed.filter(([key]) => key).sort(([a], [b]) => collator.compare(a, b) * (descending ? -1 : 1));
    body.append(...[...known, ...keyed.filter(([key]) => !key)].map(([, row]) => row));
    for (const heading of table.tHead.rows[0].cells) {
      const here = heading.cellIndex === column;
      if (here) heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
      const shape = here ? (descending ? "down" : "up") : "sort";
      heading.querySelector("use").setAttribute("href", `/static/icons.svg#${shape}`);
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
