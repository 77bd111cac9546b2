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

// A tour goes on while one looks aside: this tab keeps its stop, and leads back there.
const tour = document.querySelector(".tour");
const end = () => sessionStorage.removeItem("tour");
if (tour) {
  const stop = [location.pathname + location.search, tour.querySelector("strong").textContent];
  if (tour.querySelector(".btn")) sessionStorage.setItem("tour", JSON.stringify(stop));
  else end(); // the last one
  for (const link of tour.querySelectorAll("[data-leave]")) link.addEventListener("click", end);
} else if (sessionStorage.getItem("tour")) {
  const [href, step] = JSON.parse(sessionStorage.getItem("tour"));
  const bar = document.createElement("nav");
  Object.assign(bar, { className: "tour", ariaLabel: "Tour" });
  bar.innerHTML = `<div class="wrap"><p><strong></strong></p><p class="actions"><a class="btn">Back to the tour</a><button class="btn quiet">Leave</button></p></div>`;
  bar.querySelector("strong").textContent = step;
  bar.querySelector("a").href = href;
  bar.querySelector("button").addEventListener("click", () => (end(), bar.remove()));
  document.body.append(bar);
}
