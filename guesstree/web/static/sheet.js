// What is chosen of the sheets shows at once, and is what is taken away.
const form = document.getElementById("sheet");
const preview = document.getElementById("preview");
let waiting = 0;

function show() {
  const chosen = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  for (const link of document.querySelectorAll(".downloads a, .preview a")) link.search = chosen;
  history.replaceState(null, "", `?${chosen}`);
  if (!preview) return;
  preview.classList.add("late");
  preview.src = preview.closest("a").href;
}

preview?.addEventListener("load", () => preview.classList.remove("late"));
form.querySelector("button").parentElement.hidden = true;
form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(show, 400); });
