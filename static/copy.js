// Copies what a button names. Where the clipboard is out of reach the button stays hidden.
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const told = button.nextElementSibling;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      told.textContent = "Copied.";
    } catch {
      told.textContent = "Not copied: select the text instead.";
    }
  });
}
