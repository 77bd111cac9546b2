// Copies what a button names, or quotes it in the words being written.
const words = document.querySelector("textarea[name=reason]");
for (const button of document.querySelectorAll("[data-copy]")) {
  const { copy, quote } = button.dataset;
  const quotes = words && quote !== undefined;
  button.hidden = !quotes && !navigator.clipboard;
  button.addEventListener("click", async () => {
    const told = button.nextElementSibling;
    try {
      if (!quotes) await navigator.clipboard.writeText(copy);
      else words.value += `${words.value && "\n\n"}${copy}\n\n`;
      if (quotes) words.focus();
      told.textContent = quotes ? "Quoted." : "Copied.";
    } catch {
      told.textContent = "Not copied: select the text instead.";
    }
  });
}
