// Copies what a button names, or puts it into the words being written: those of a review, or of
// the field that the button names.
const words = document.querySelector("textarea[name=reason]");
for (const button of document.querySelectorAll("[data-copy]")) {
  const { copy, into, quote } = button.dataset;
  const field = into ? document.getElementById(into) : quote !== undefined && words;
  const quotes = Boolean(field);
  button.hidden = !quotes && !navigator.clipboard;
  button.addEventListener("click", async () => {
    const told = button.nextElementSibling;
    try {
      if (!quotes) await navigator.clipboard.writeText(copy.startsWith("/") ? new URL(copy, location).href : copy);
      else field.value += `${field.value && "\n\n"}${copy}\n\n`;
      if (quotes) field.focus();
      told.textContent = into ? "Inserted." : quotes ? "Quoted." : "Copied.";
    } catch {
      told.textContent = "Not copied: select the text instead.";
    }
  });
}
