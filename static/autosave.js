// Saves a section as its fields are left, and shows what was found.
const form = document.querySelector("[data-autosave]");
const told = document.querySelector("[data-saved]");
const REFUSED = {
  401: "You’ve been signed out. Continue and sign in again; your text is kept.",
  409: "Saved elsewhere after you opened this page. Continue to see both texts.",
};
const kept = location.pathname;
const left = new Set();
let timer, saving, isChanged, isOnlyHere, newest;

function keep() {
  const typed = [...new FormData(form)].filter(([name]) => !/token|key|^comment$/.test(name));
  try {
    sessionStorage.setItem(kept, JSON.stringify(typed));
  } catch {} // no room: the page alone holds it
}

// with its lock, so that no newer text is written over; under another one, the same text arrived
function bringBack() {
  const stored = JSON.parse(sessionStorage.getItem(kept) ?? "[]").filter(([name]) => form.elements[name]);
  const differs = stored.filter(([name, value]) => form.elements[name].value !== value).join();
  if (/^lock_version,\d+$/.test(differs)) sessionStorage.removeItem(kept);
  else if (differs) {
    for (const [name, value] of stored) form.elements[name].value = value;
    told.textContent = "Your unsaved text is restored.";
    isChanged = true;
    later(2000);
  }
}

function show(page) {
  newest = page;
  told.innerHTML = page.querySelector("[data-saved]").innerHTML;
  // the draft of a review has no lock of its own: it stays on the request as its writer saw it
  const lock = page.querySelector("[data-autosave] [name=lock_version]");
  if (lock) form.elements.lock_version.value = lock.value;
  if (isChanged) keep();
  else sessionStorage.removeItem(kept);
  const { activeElement } = document;
  const isWriting = activeElement.form === form && activeElement.matches("textarea, input") && !left.has(activeElement.name);
  const [said, found] = [document, page].map((where) => isWriting ? sentences(where, activeElement.name) : []);
  // where one writes nothing new is said, but what is mended goes at once
  const isMended = said.some((sentence) => !found.includes(sentence));
  for (const name of isMended ? [...left, activeElement.name] : left) tell(page, name);
  // nothing is counted before it is said beside the field
  const isCounted = isMended || found.every((sentence) => said.includes(sentence));
  for (const old of isCounted ? document.querySelectorAll("[data-counted]") : []) swap(old, page);
  for (const old of document.querySelectorAll("[data-swap]")) swap(old, page);
}

function sentences(where, name) {
  const told = where.querySelectorAll(`[data-told="${name}"] :is(.error, .say:not(.ok))`);
  return [...told].map((one) => one.textContent);
}

function tell(page, name) {
  const [fresh, old] = [page, document].map((where) => where.querySelector(`[data-told="${name}"]`));
  if (!fresh || !old) return;
  old.innerHTML = fresh.innerHTML;
  old.parentElement.className = fresh.parentElement.className;
  const [now, before] = [page, document].map(
    (where) => where.querySelector(`fieldset.field:has([name="${name}"])`) ?? where.getElementById(name),
  );
  for (const aria of ["aria-describedby", "aria-invalid"]) {
    before?.setAttribute(aria, now?.getAttribute(aria) ?? (aria === "aria-invalid" ? "false" : ""));
  }
}

function swap(old, page) {
  const { swap: key, counted = key } = old.dataset;
  const fresh = page.querySelector(`[data-swap="${counted}"], [data-counted="${counted}"]`);
  if (!fresh || old.contains(document.activeElement)) return;
  // a summary of problems that nobody has seen is not pushed in above what one writes
  if (counted === "problems" && !old.firstElementChild) return;
  old.innerHTML = fresh.innerHTML;
  old.querySelector("[autofocus]")?.removeAttribute("autofocus");
  if (counted === "problems") document.title = fresh.ownerDocument.title;
}

function request(more) {
  const body = new URLSearchParams(new FormData(form));
  // who was told once what is missing is told on
  body.set("then", document.getElementById("page_problems") ? "found" : "look");
  return fetch(kept, { method: "POST", body, headers: { Accept: "text/html" }, ...more });
}

async function save() {
  isChanged = false;
  try {
    const answer = await request();
    isOnlyHere = !answer.redirected;
    if (isOnlyHere) told.textContent = REFUSED[answer.status] ?? "Not saved. Continue to see why.";
    else show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    told.textContent = "Not saved: no connection. Kept in this tab.";
    isOnlyHere = isChanged = true;
    later(10000);
  }
}

function later(wait) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    await saving;
    saving = save();
    await saving;
    saving = undefined;
  }, wait);
}

// only the page that a form led on to says that its text arrived
const [{ redirectCount }] = performance.getEntriesByType("navigation");
const sent = sessionStorage.getItem("sent");
if (redirectCount && sent && document.referrer.split("?")[0].endsWith(sent)) sessionStorage.removeItem(sent);

if (form) {
  form.addEventListener("input", () => {
    isChanged = true;
    keep();
    later(2000);
  });
  form.addEventListener("focusout", ({ target }) => {
    left.add(target.name);
    if (isChanged) later(0);
    else if (newest && !saving) show(newest);
  });
  // two at once would count as saved elsewhere
  form.addEventListener("submit", async (event) => {
    clearTimeout(timer);
    if (saving) {
      event.preventDefault();
      await saving;
      form.requestSubmit(event.submitter);
    } else {
      isChanged = isOnlyHere = false;
      keep();
      sessionStorage.setItem("sent", kept);
    }
  });
  addEventListener("pagehide", () => {
    if (isChanged && !saving) request({ keepalive: true }).catch(() => {});
  });
  addEventListener("beforeunload", (event) => {
    if (isOnlyHere) event.preventDefault();
  });
  // it knows nothing of what it sent as it went
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
  bringBack();
}
