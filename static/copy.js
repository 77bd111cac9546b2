// Copies what a button names, or puts a quotation into the words that one is writing on the page.
// Where neither can be done the button stays hidden.
const words = document.querySelector("textarea[name=reason]");

function quote(text) {
  words.value += `${words.value && "\n\n"}${text}\n\n`;
  words.dispatchEvent(new Event("input", { bubbles: true }));
  words.focus();
  return "Quoted in your words.";
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return "Not copied: select the text instead.";
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const use = words && "quote" in button.dataset ? quote : navigator.clipboard && copy;
  button.hidden = !use;
  button.addEventListener("click", async () => {
    button.nextElementSibling.textContent = await use(button.dataset.copy);
  });
}
