// Saves a section as its fields are left, and shows what was found.
const form = document.querySelector("[data-autosave]");
const told = document.querySelector("[data-saved]");
const REFUSED = {
  401: "You were signed out. Continue, and sign in; your text comes back.",
  409: "Saved elsewhere meanwhile. Continue, to see both texts.",
};
const kept = location.pathname;
const left = new Set();
let timer, saving, isChanged, isOnlyHere, newest;

function keep() {
  const typed = [...new FormData(form)].filter(([name]) => !/token|key/.test(name));
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
    told.textContent = "Text of yours that was not saved is back.";
    isChanged = true;
    later(2000);
  }
}

function show(page) {
  newest = page;
  told.innerHTML = page.querySelector("[data-saved]").innerHTML;
  form.elements.lock_version.value = page.querySelector("[data-autosave] [name=lock_version]").value;
  if (isChanged) keep();
  else sessionStorage.removeItem(kept);
  for (const name of left) {
    const [fresh, old] = [page, document].map((where) => where.querySelector(`[data-told="${name}"]`));
    if (!fresh || !old) continue;
    old.innerHTML = fresh.innerHTML;
    old.parentElement.className = fresh.parentElement.className;
    for (const aria of ["aria-describedby", "aria-invalid"]) {
      form.elements[name].setAttribute(aria, page.getElementById(name)?.getAttribute(aria) ?? "false");
    }
  }
  const { activeElement } = document;
  // nothing is counted before it is said beside the field
  const isWriting = activeElement.form === form && activeElement.matches("textarea, input") && !left.has(activeElement.name);
  for (const old of document.querySelectorAll("[data-swap]")) {
    if (isWriting && old.dataset.swap === "steps") continue;
    const fresh = page.querySelector(`[data-swap="${old.dataset.swap}"]`);
    if (fresh && !old.contains(document.activeElement)) old.innerHTML = fresh.innerHTML;
  }
}

function request(more) {
  const body = new URLSearchParams(new FormData(form));
  body.set("then", "look");
  return fetch(kept, { method: "POST", body, headers: { Accept: "text/html" }, ...more });
}

async function save() {
  isChanged = false;
  try {
    const answer = await request();
    isOnlyHere = !answer.redirected;
    if (isOnlyHere) told.textContent = REFUSED[answer.status] ?? "Not saved. Continue, to see why.";
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
