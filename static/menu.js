// Escape and a click elsewhere close an open menu.
function close(event) {
  for (const menu of document.querySelectorAll(".menu[open]"))
    if (event.key ? event.key === "Escape" : !menu.contains(event.target)) {
      if (menu.contains(document.activeElement)) menu.firstElementChild.focus();
      menu.open = false;
    }
}
addEventListener("keydown", close);
addEventListener("click", close);
