// Breakers drawn anew in place: links and keys change a part of the page. Without this they are plain links.

const PAUSE = 500; // milliseconds between two generations that are watched
const at = (id) => document.getElementById(id);
const PATIENCE = 1000; // milliseconds after which it is said that something takes long
let watching = false, asked = 0;

async function show(href, remember = true) {
  const own = ++asked;
  late(true);
  setTimeout(() => {
    if (own === asked && !watching && at("tree").matches(".late")) at("live").textContent = "Working …";
  }, PATIENCE);
  let page, fresh;
  try {
    const answer = await fetch(href, { headers: { accept: "text/html" } });
    if (!answer.ok) throw new Error(String(answer.status));
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
    href = answer.url;
    fresh = document.importNode(page.getElementById("bred"), true);
    await drawn(fresh.querySelector("#tree img"));
  } catch {
    if (own === asked) location.assign(href); // its page says what is wrong
    return false;
  }
  if (own !== asked) return false; // another click was quicker
  const focus = document.activeElement?.id;
  at("bred").replaceWith(fresh);
  if (remember) history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  document.title = page.title;
  ready();
  if (focus) (at(focus) ?? at("new")).focus({ preventScroll: true });
  at("live").textContent = at("said").textContent;
  return true;
}

/** Wait for a picture, so that the one before stays until then. */
async function drawn(picture) {
  await picture.decode().catch(() => {}); // the page says it in words where it cannot be drawn
}

/** Show whether something is under way. */
function late(is) {
  at("tree").classList.toggle("late", is && !watching);
  at("bred").setAttribute("aria-busy", String(is));
}

/** Show the button as what it does now. */
function offer() {
  at("watch").textContent = watching ? "Stop watching" : "Keep watching";
  at("watch").classList.toggle("on", watching);
}

/** Bring the first guess of a large tree into view. */
async function centre() {
  const tree = at("tree"), picture = tree.querySelector("img");
  await drawn(picture);
  tree.scrollTop = picture.dataset.begin * picture.height - tree.clientHeight / 2;
}

function ready() {
  const watch = at("watch");
  watch.classList.remove("later");
  offer();
  centre();
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
  late(false);
  offer();
}

async function go() {
  watching = true;
  offer();
  for (let first = true; watching; first = false) {
    if (!(await show(at("watch").dataset.href, first)) || at("watch").disabled) break;
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
