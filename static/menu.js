// Closes an open menu by Escape and by a click elsewhere. Without it a menu stays until its button
// is pressed again.
const opened = () => [...document.querySelectorAll("details.menu[open]")];
addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const menu of opened()) {
    const here = menu.contains(document.activeElement);
    menu.open = false;
    if (here) menu.querySelector("summary").focus();
  }
});
addEventListener("click", ({ target }) => {
  for (const menu of opened()) if (!menu.contains(target)) menu.open = false;
});
