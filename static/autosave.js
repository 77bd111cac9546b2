// Saves a page of the form when a field is left, or two seconds after the last key, and shows what
// the server found in it. Without script, the buttons save. What is not saved stays in this tab.
const form = document.querySelector("[data-autosave]");
const told = document.querySelector("[data-saved]");
const REFUSED = {
  401: "You were signed out. Continue, and sign in; your text comes back.",
  409: "Saved elsewhere meanwhile. Continue, to see both texts.",
};
const UNTYPED = ["csrf_token", "key"];
const kept = "kept:" + location.pathname;
const left = new Set();
let timer, saving, isChanged, isOnlyHere;

function typed() {
  return [...new FormData(form)].filter(([name]) => !UNTYPED.includes(name));
}

function keep() {
  try {
    sessionStorage.setItem(kept, JSON.stringify(typed()));
  } catch {
    // no room, or not allowed: then the page alone holds it
  }
}

// only the page that a form led on to says that its text arrived
function forget() {
  const [{ redirectCount }] = performance.getEntriesByType("navigation");
  const from = document.referrer && "kept:" + new URL(document.referrer).pathname;
  if (!redirectCount || from !== sessionStorage.getItem("sent")) return;
  sessionStorage.removeItem(from);
  sessionStorage.removeItem("sent");
}

// with the lock it was written under, so that a newer text elsewhere is not written over;
// the same text under another lock arrived, under the same one it may have been refused
function bringBack() {
  const stored = JSON.parse(sessionStorage.getItem(kept) ?? "[]");
  const differs = stored.filter(([name, value]) => form.elements[name] && form.elements[name].value !== value).map(([name]) => name);
  if (differs.join() === "lock_version") sessionStorage.removeItem(kept);
  if (differs.every((name) => name === "lock_version")) return;
  for (const [name, value] of stored) if (form.elements[name]) form.elements[name].value = value;
  told.textContent = "Text of yours that was not saved is back.";
  isChanged = true;
  later(2000);
}

function show(page) {
  for (const fresh of page.querySelectorAll("[data-told]")) {
    const name = fresh.dataset.told;
    const field = form.elements[name];
    const old = document.querySelector(`[data-told="${name}"]`);
    if (!left.has(name) || !field || !old) continue;
    old.innerHTML = fresh.innerHTML;
    old.parentElement.className = fresh.parentElement.className;
    for (const attribute of ["aria-describedby", "aria-invalid"]) {
      const value = page.getElementById(field.id)?.getAttribute(attribute);
      if (value) field.setAttribute(attribute, value);
      else field.removeAttribute(attribute);
    }
  }
  for (const fresh of page.querySelectorAll("[data-swap]")) {
    const old = document.querySelector(`[data-swap="${fresh.dataset.swap}"]`);
    if (old && !old.contains(document.activeElement)) old.innerHTML = fresh.innerHTML;
  }
}

function request(more) {
  const body = new URLSearchParams(new FormData(form));
  body.set("then", "look"); // leads back to this page, which tells what was found and the lock to come with next
  return fetch(location.pathname, { method: "POST", body, headers: { Accept: "text/html" }, ...more });
}

async function send() {
  isChanged = false;
  const answer = await request();
  isOnlyHere = !answer.redirected;
  if (isOnlyHere) return REFUSED[answer.status] ?? "Not saved. Continue, to see why.";
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  form.elements.lock_version.value = page.querySelector("[data-autosave] [name=lock_version]").value;
  if (isChanged) keep();
  else sessionStorage.removeItem(kept);
  show(page);
  return page.querySelector("[data-saved]").innerHTML;
}

async function save() {
  try {
    told.innerHTML = await send();
  } catch {
    isOnlyHere = true;
    told.textContent = "Not saved: no connection. Kept in this tab.";
    isChanged = true;
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

form?.addEventListener("input", () => {
  isChanged = true;
  keep();
  later(2000);
});

form?.addEventListener("focusout", ({ target }) => {
  left.add(target.name);
  if (isChanged) later(0);
});

// what is on its way comes first: two at once would count as saved elsewhere
form?.addEventListener("submit", async (event) => {
  clearTimeout(timer);
  if (saving) {
    event.preventDefault();
    await saving;
    saving = undefined;
    form.requestSubmit(event.submitter);
    return;
  }
  isChanged = isOnlyHere = false;
  keep();
  sessionStorage.setItem("sent", kept);
});

// a page that is closed sends what it still has; what does not arrive is in this tab
addEventListener("pagehide", () => {
  if (form && isChanged && !saving) request({ keepalive: true }).catch(() => undefined);
});

// a tab that is closed takes along what it alone has
addEventListener("beforeunload", (event) => {
  if (isOnlyHere) event.preventDefault();
});

// a page that was put aside and taken out again knows nothing of what it sent as it went
addEventListener("pageshow", ({ persisted }) => {
  if (form && persisted) location.reload();
});

forget();
if (form) bringBack();
