// Breakers drawn anew in place: links and keys change a part of the page. Without this they are plain links.

const PAUSE = 500; // milliseconds between two generations that are watched
const at = (id) => document.getElementById(id);
let watching = false, asked = 0;

async function show(href, remember = true) {
  const own = ++asked;
  at("tree").classList.add("late");
  let page;
  try {
    const answer = await fetch(href, { headers: { accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
    href = answer.url;
  } catch {
    if (own === asked) location.assign(href); // its page says what is wrong
    return false;
  }
  if (own !== asked) return false; // another click was quicker
  const focus = document.activeElement?.id;
  const fresh = page.getElementById("bred");
  if (!fresh) { location.assign(href); return false; }
  at("bred").replaceWith(document.importNode(fresh, true));
  if (remember) history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  document.title = page.title;
  ready();
  if (focus) (at(focus) ?? at("new")).focus({ preventScroll: true });
  at("live").textContent = at("said").textContent;
  return true;
}

function ready() {
  const watch = at("watch");
  watch.classList.remove("later");
  watch.setAttribute("aria-pressed", String(watching));
  watch.addEventListener("click", () => (watching ? stop() : go()));
  for (const link of document.querySelectorAll("#bred a[id]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      stop();
      show(link.href);
    });
  }
  document.querySelector("#bred form").addEventListener("submit", (event) => {
    event.preventDefault();
    stop();
    show(`/breed?${new URLSearchParams(new FormData(event.target))}`);
  });
}

function stop() {
  if (watching) asked++; // the generation that is on its way is not shown any more
  watching = false;
  at("tree").classList.remove("late");
  at("watch").setAttribute("aria-pressed", "false");
}

async function go() {
  watching = true;
  at("watch").setAttribute("aria-pressed", "true");
  for (let first = true; watching; first = false) {
    const href = at("watch").dataset.href;
    if (!href || !(await show(href, first))) break;
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  stop();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !at("use-keys").checked) return;
  if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (event.key.startsWith("Arrow") && event.target.matches("#tree, .wide")) return; // they scroll
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const target = document.querySelector(`#bred [data-key="${CSS.escape(key)}"]`);
  if (!target || target.disabled) return;
  event.preventDefault();
  target.click();
});
addEventListener("popstate", () => { stop(); show(location.href, false); });
at("keys").classList.remove("later");
ready();
