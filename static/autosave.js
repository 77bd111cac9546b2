// Saves a page of the form two seconds after the last key. Without script, its buttons save.
const form = document.querySelector("[data-autosave]");
const told = document.querySelector("[data-saved]");
const REFUSED = {
  401: "You were signed out. Continue, and sign in; your text comes back.",
  409: "Saved elsewhere meanwhile. Continue, to see both texts.",
};
let timer, saving;

async function send() {
  const body = new URLSearchParams(new FormData(form));
  body.set("then", "preview"); // leads back to this page, which tells the lock to come with next
  const answer = await fetch(location.pathname, { method: "POST", body, headers: { Accept: "text/html" } });
  if (!answer.redirected) return REFUSED[answer.status] ?? "Not saved. Continue, to see why.";
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  form.elements.lock_version.value = page.querySelector("[data-autosave] [name=lock_version]").value;
  return page.querySelector("[data-saved]").innerHTML;
}

async function save() {
  try {
    told.innerHTML = await send();
  } catch {
    told.textContent = "Not saved: no connection. Kept in this tab.";
  }
}

form?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    await saving;
    saving = save();
    await saving;
    saving = undefined;
  }, 2000);
});

// what is on its way comes first: two at once would count as saved elsewhere
form?.addEventListener("submit", async (event) => {
  clearTimeout(timer);
  if (!saving) return;
  event.preventDefault();
  await saving;
  saving = undefined;
  form.requestSubmit(event.submitter);
});
