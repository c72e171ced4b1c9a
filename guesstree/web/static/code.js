// Codes put together by clicking or typing, responses by clicking tiles, and pages that change in place.
// Everything works as plain forms too; this only makes it quicker.

const NEXT = { "-": "+", "+": "=", "=": "-" };
const NAMES = { "-": "absent", "+": "elsewhere", "=": "in place" };
const CLASSES = { "-": "mark-absent", "+": "mark-elsewhere", "=": "mark-place" };

function make(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

/** Slots and a palette in place of a field: symbols are clicked, or typed where the focus is. */
function codeEntry(entry) {
  const field = entry.querySelector("input");
  const size = Number(entry.dataset.size);
  const keys = [...entry.querySelectorAll("[data-key]")];
  const keyOf = new Map(keys.map(key => [key.dataset.key, key]));
  const folded = new Map(keys.map(key => [key.dataset.key.toLowerCase(), key.dataset.key]));
  if (keys[0]?.classList.contains("peg") && keys.every(key => /[A-Z_]/.test(key.dataset.key))) { // 1 is the first colour
    keys.slice(0, 9).forEach((key, i) => folded.set(String(i + 1), key.dataset.key));
  }
  const code = Array.from({ length: size }, (_, i) => folded.get((field.value[i] || "").toLowerCase()) || "");
  let whole = !code.includes(""); // as it came back, refused: what is typed next is another guess
  let at = whole ? size - 1 : code.indexOf("");
  const label = entry.querySelector("label");
  const slots = code.map((_, i) => {
    const slot = make("button", { type: "button" });
    slot.addEventListener("click", () => { at = i; paint(true); });
    return slot;
  });
  const row = make("div", { className: "slots" }, ...slots);
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", `${label.textContent}: type symbols, arrows move, Enter asks`);
  const name = make("p", { className: "slots-name", textContent: label.textContent });
  name.setAttribute("aria-hidden", "true");
  label.parentElement.replaceWith(name, row);
  field.type = "hidden";
  entry.append(field);

  function paint(focus) {
    whole &&= !focus;
    slots.forEach((slot, i) => {
      const key = keyOf.get(code[i]);
      slot.className = `slot ${key ? key.className : (keys[0]?.classList.contains("peg") ? "peg empty" : "tile empty")}`;
      slot.classList.remove("mark-place", "mark-elsewhere", "mark-absent");
      slot.textContent = code[i] || "·";
      slot.setAttribute("aria-label", `place ${i + 1}: ${code[i] || "empty"}`);
      slot.setAttribute("aria-current", String(i === at));
      slot.tabIndex = i === at ? 0 : -1;
    });
    field.value = code.join("");
    if (focus) slots[at].focus();
  }
  function put(symbol, focus) {
    if (whole) {
      code.fill("");
      at = 0;
      whole = false;
    }
    code[at] = symbol;
    if (at < size - 1) at += 1;
    paint(focus);
  }
  function erase(focus) {
    whole = false;
    if (!code[at] && at > 0) at -= 1;
    code[at] = "";
    paint(focus);
  }
  keys.forEach(key => key.addEventListener("click", () => put(key.dataset.key, false)));
  const button = entry.querySelector(".erase");
  button.hidden = false;
  button.addEventListener("click", () => erase(false));
  entry.querySelector(".keyboard").hidden = false;
  entry.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const symbol = folded.get(event.key.toLowerCase());
    if (symbol) put(symbol, true);
    else if (event.key === "Backspace" || event.key === "Delete") erase(true);
    else if (!row.contains(event.target)) return; // there Enter and the arrows are those of buttons
    else if (event.key === "ArrowLeft") { at = Math.max(at - 1, 0); paint(true); }
    else if (event.key === "ArrowRight") { at = Math.min(at + 1, size - 1); paint(true); }
    else if (event.key === "Home") { at = 0; paint(true); }
    else if (event.key === "End") { at = size - 1; paint(true); }
    else if (event.key === "Enter") entry.closest("form").requestSubmit(entry.querySelector(".main"));
    else return;
    event.preventDefault();
  });
  paint(false);
}

/** Tiles that each go through the marks, in place of a field; g, y and b are typed too. */
function marksEntry(entry) {
  const field = entry.querySelector("input");
  const letters = [...entry.dataset.guess];
  const before = [...field.value].every(mark => mark in NEXT) ? field.value : "";
  const marks = letters.map((_, i) => before[i] || "-");
  const tiles = letters.map((letter, i) => {
    const tile = make("button", { type: "button", textContent: letter });
    tile.addEventListener("click", () => { marks[i] = NEXT[marks[i]]; paint(); });
    tile.addEventListener("keydown", event => {
      const mark = { g: "=", y: "+", b: "-", x: "-", "2": "=", "1": "+", "0": "-", "=": "=", "+": "+", "-": "-", ".": "-" }[event.key];
      if (mark && !event.ctrlKey && !event.metaKey && !event.altKey) {
        marks[i] = mark;
        paint();
        const all = [...entry.closest("form").querySelectorAll(".marking button")]; // there may be several boards
        (all[all.indexOf(tile) + 1] || tile).focus();
      } else if (event.key === "ArrowLeft") (tiles[i - 1] || tile).focus();
      else if (event.key === "ArrowRight") (tiles[i + 1] || tile).focus();
      else if (event.key === "Enter") entry.closest("form").requestSubmit(entry.querySelector(".main"));
      else return;
      event.preventDefault();
    });
    return tile;
  });
  function paint() {
    tiles.forEach((tile, i) => {
      tile.className = `tile ${CLASSES[marks[i]]}`;
      tile.setAttribute("aria-label", `${letters[i]}: ${NAMES[marks[i]]}`);
    });
    field.value = marks.join("");
  }
  const text = entry.dataset.name || "Click each letter until it looks as on your board, or type g, y, b";
  inPlaceOfField(entry, field, tiles, text);
  paint();
}

/** A pattern whose blanks are clicked where the letter is. */
function placesEntry(entry) {
  const field = entry.querySelector("input");
  const letter = entry.dataset.guess;
  const signs = entry.dataset.pattern.split(" ");
  const chosen = new Set();
  const tiles = signs.map((sign, i) => {
    if (sign === "|") return make("span", { className: "gap" });
    const tile = make("button", { type: "button", disabled: sign !== "_" });
    tile.addEventListener("click", () => toggle(i));
    return tile;
  });
  const blanks = signs.flatMap((sign, i) => (sign === "|" ? [] : [i])); // as they are counted: 1, 2, ...
  const submit = entry.querySelector(".main");
  function paint() {
    tiles.forEach((tile, i) => {
      if (signs[i] === "|") return;
      const shown = chosen.has(i) ? letter : signs[i] === "_" ? "" : signs[i];
      tile.className = `tile${chosen.has(i) ? " mark-place" : ""}`;
      tile.textContent = shown || "_";
      tile.setAttribute("aria-label", `place ${i + 1}: ${shown || "blank"}`);
      tile.setAttribute("aria-pressed", String(chosen.has(i)));
    });
    field.value = chosen.size ? signs.map((sign, i) => (sign === "|" ? "|" : chosen.has(i) ? letter : "_")).join(" ") : "miss";
    submit.textContent = chosen.size ? "It is there" : "It is nowhere";
  }
  function toggle(i) {
    if (!chosen.delete(i)) chosen.add(i);
    paint();
  }
  inPlaceOfField(entry, field, tiles, `Click where ${letter} is, or type the numbers of its places; Enter ends`);
  let numbers = false; // were typed: then a space or a comma stands between two of them, and presses nothing
  entry.querySelector(".marking").addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = blanks[Number(event.key) - 1];
    if (/^[1-9]$/.test(event.key) && signs[place] === "_") {
      numbers = true;
      toggle(place);
    } else if (event.key === "Tab" || event.key.startsWith("Arrow")) {
      numbers = false; // a space presses the button that was gone to
      return;
    } else if (numbers && /^[ ,]$/.test(event.key)) { /* nothing */ }
    else if (event.key === "Enter") entry.closest("form").requestSubmit(submit);
    else return;
    event.preventDefault();
  });
  paint();
}

function inPlaceOfField(entry, field, tiles, text) {
  const row = make("div", { className: "marking" }, ...tiles);
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", text);
  entry.querySelector(".field").replaceWith(make("p", { className: "soft", textContent: text }), row);
  field.type = "hidden";
  field.removeAttribute("list");
  entry.append(field);
}

/** Letters that are typed instead of clicked: a letter asks at once, so that Enter has nothing left to do. */
function lettersEntry(entry) {
  entry.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typed = [...entry.querySelectorAll("button")].find(button => button.value.toLowerCase() === event.key.toLowerCase());
    if (!typed) return;
    event.preventDefault();
    typed.click();
  });
}

/** A search field above a list. */
function listEntry(entry) {
  const field = entry.querySelector("input");
  if (!field) return;
  const items = [...entry.querySelectorAll(".choices li")];
  const none = entry.querySelector("#found-none");
  field.closest(".field").hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    items.forEach(item => { item.hidden = !words.every(word => item.textContent.toLowerCase().includes(word)); });
    none.hidden = items.some(item => !item.hidden);
  });
  field.addEventListener("keydown", event => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const left = items.filter(item => !item.hidden);
    const typed = field.value.trim().toLowerCase();
    const meant = left.length === 1 ? left[0] : left.find(item => item.querySelector("button").value.toLowerCase() === typed);
    meant?.querySelector("button").click();
  });
}

function enhance(root) {
  root.querySelectorAll(".code-entry").forEach(codeEntry);
  root.querySelectorAll(".marks-entry").forEach(marksEntry);
  root.querySelectorAll(".places-entry").forEach(placesEntry);
  root.querySelectorAll(".letters").forEach(lettersEntry);
  root.querySelectorAll(".list-entry").forEach(listEntry);
  root.querySelectorAll("[data-load]").forEach(link => load(link));
}

/** Put the focus where the next thing is typed; never on a button that asks something else when Enter is hit. */
function settle(root, options) {
  const places = ["[data-focus]", ".entry .slot[tabindex='0']", ".entry .letters", ".marking button:enabled"];
  if (!matchMedia("(pointer: coarse)").matches) places.push(".entry input:not([type=hidden])"); // no keyboard pops up
  places.push(".entry .responses", ".entry .list-entry", ".entry .cells");
  places.map(place => root.querySelector(place)).find(Boolean)?.focus(options);
}

/** What takes longer is fetched when the rest is shown. */
async function load(link) {
  const section = link.closest("section");
  section.querySelector(".waiting").hidden = false;
  link.hidden = true;
  try {
    const page = await read(await fetch(link.href, { headers: { accept: "text/html" } }));
    const found = page.getElementById(section.id);
    if (found && section.isConnected) section.replaceWith(found);
  } catch {
    link.hidden = false;
    section.querySelector(".waiting").hidden = true;
  }
}

async function read(response) {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

let busy = false;

/** Show what a request answers in place of the game. */
async function go(url, options = {}) {
  if (busy) return;
  busy = true;
  const game = document.getElementById("game");
  game.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, { ...options, headers: { accept: "text/html" } });
    const page = await read(response);
    const found = page.getElementById("game");
    if (!found) {
      document.getElementById("main").replaceWith(page.getElementById("main"));
      return;
    }
    game.replaceWith(found);
    document.title = page.title;
    if (response.url !== location.href) history.pushState(null, "", response.url);
    enhance(found);
    settle(found);
    document.getElementById("said").textContent = found.dataset.said;
  } catch {
    game.removeAttribute("aria-busy");
    document.getElementById("said").textContent = "";
    if (!document.getElementById("offline")) {
      game.prepend(make("p", { id: "offline", className: "fault", textContent: "The server does not answer: is it still running? Try again." }));
    }
  } finally {
    busy = false;
  }
}

document.addEventListener("submit", event => {
  const form = event.target;
  if (!form.closest("#game")) return;
  event.preventDefault();
  const data = new URLSearchParams(new FormData(form, event.submitter));
  const url = new URL(form.action);
  if (form.method === "post") go(url, { method: "POST", body: data });
  else {
    url.search = data.toString();
    go(url);
  }
});
document.addEventListener("click", event => {
  const link = event.target.closest("#game a[href]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.pathname !== location.pathname) return;
  event.preventDefault();
  go(link.href);
});
document.addEventListener("keydown", event => {
  if (event.target !== document.body) return; // what is typed where nothing has the focus is for the guess
  const { key, ctrlKey, metaKey, altKey } = event;
  const entry = document.querySelector(".code-entry .slot[tabindex='0'], .letters, .marking button:enabled");
  if (!entry) document.querySelector(".entry input:not([type=hidden])")?.focus();
  else if ( !entry.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, metaKey, altKey, bubbles: true, cancelable: true }))) {
    event.preventDefault();
  }
});
addEventListener("popstate", () => location.reload());
enhance(document);
if (!location.hash) settle(document, { preventScroll: true });
