// Filters and sorts the rows in place. Without script, the form and the headings ask the server.
const collator = new Intl.Collator("en", { numeric: true });
const rows = [...document.querySelectorAll(".registry tbody tr")].map((row) => ({ row, text: row.textContent.toLowerCase() }));

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
    // of a URN, only the namespace counts
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean).map((word) => word.replace(/^(urn:[^:]*:).*/, "$1"));
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    for (const table of document.querySelectorAll(".registry")) {
      table.closest("section").hidden = !table.querySelector("tbody tr:not([hidden])");
    }
    form.parentElement.classList.toggle("filtering", words.length > 0);
    none.hidden = shown > 0;
    document.getElementById("filter_none_q").textContent = field.value;
    const check = document.getElementById("filter_none_check");
    if (check) check.search = new URLSearchParams({ nid: field.value });
    clearTimeout(telling); // told once typing pauses, not at every key
    telling = setTimeout(() => {
      count.textContent = words.length ? `${shown} of ${total} ${shown === 1 ? "matches" : "match"}.` : `Showing all ${total}.`;
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
  const link = event.target.closest(".registry thead a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const heading = link.closest("th");
  const descending = heading.getAttribute("aria-sort") === "ascending";
  sortBy(heading.cellIndex, descending);
  remember({ sort: new URL(link.href).searchParams.get("sort"), order: descending && "desc" });
});
