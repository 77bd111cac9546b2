// Registers this site for links with a scheme, after the browser has asked its user.
for (const button of document.querySelectorAll("[data-scheme]")) {
  const { scheme } = button.dataset;
  button.hidden = !navigator.registerProtocolHandler;
  button.addEventListener("click", () => {
    const told = document.getElementById("browser_status");
    try {
      navigator.registerProtocolHandler(scheme, `${location.origin}/?q=%s`);
      told.textContent = `Allow ${scheme}: links when your browser asks.`;
    } catch {
      told.textContent = "Your browser doesn’t allow this. It needs an HTTPS address.";
    }
  });
}
