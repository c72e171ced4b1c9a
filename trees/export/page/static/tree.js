"use strict";

// ---- The tree: only the rows in view are in the document -----------------------------------------------------

const scroller = byId("scroll");
const tree = byId("tree");
const HEAD = 30;
const SPARE = 8;
const MOST_PRINTED = 3000;
const MOST_OPENED = 40;
const open = new Uint8Array(N);
const rowOf = new Int32Array(N).fill(-1);
let rows = [];
let selected = 0;
let trail = new Set();
let drawn = new Map();
let rowHeight = 32;
let pending = false;
let printing = false;
let shownDetails = -1;

/** List the rows of the tree as it is opened, from top to bottom. */
function flatten() {
  rowOf.fill(-1);
  rows = [];
  const waiting = [0];
  while (waiting.length) {
    const n = waiting.pop();
    rowOf[n] = rows.length;
    rows.push(n);
    if (open[n]) for (let child = first[n + 1] - 1; child >= first[n]; child--) waiting.push(child);
  }
  tree.style.height = `${rows.length * rowHeight}px`;
}

/** Draw once per frame, however much has changed. */
function schedule() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    drawRows();
    if (shownDetails !== selected) drawDetails();
  });
}

function inView() {
  if (printing) return [0, Math.min(rows.length, MOST_PRINTED)];
  const from = Math.floor(scroller.scrollTop / rowHeight) - SPARE;
  const to = Math.ceil((scroller.scrollTop + scroller.clientHeight - HEAD) / rowHeight) + SPARE;
  return [Math.max(0, from), Math.min(rows.length, to)];
}

function drawRows() {
  const [from, to] = inView();
  const wanted = rows.slice(from, to);
  // The selected row stays in the document, as the tree's focus refers to it.
  const at = rowOf[selected];
  if (at < from) wanted.unshift(selected);
  else if (at >= to) wanted.push(selected);
  const kept = new Map(wanted.map((n) => [n, drawn.get(n) ?? makeRow(n)]));
  for (const [n, row] of kept) refresh(row, n);
  const before = [...tree.children];
  const after = [...kept.values()];
  if (before.length !== after.length || before.some((row, i) => row !== after[i])) tree.replaceChildren(...after);
  drawn = kept;
  tree.setAttribute("aria-activedescendant", `node-${selected}`);
}

function frame(n) {
  return (isEnd(n) ? " end" : mayWin(n) ? " may" : "") + around;
}

function makeRow(n) {
  const row = el("div", "row");
  row.id = `node-${n}`;
  row.dataset.node = n;
  row.setAttribute("role", "treeitem");
  row.setAttribute("aria-level", depth[n] + 1);
  row.setAttribute("aria-posinset", n ? n - first[parent[n]] + 1 : 1);
  row.setAttribute("aria-setsize", n ? first[parent[n] + 1] - first[parent[n]] : 1);
  row.setAttribute("aria-label", spoken(n));
  const [step, most] = indent();
  const lead = el("span", "lead");
  lead.style.width = `${Math.min(depth[n], most) * step}px`;
  row.append(lead, el("span", hasChildren(n) ? "twist" : "twist none"));
  if (depth[n] > most) row.append(el("span", "level", `${depth[n]}`));
  if (n) row.append(el("span", "via", ...answers(n)));
  row.append(el("span", `ask${frame(n)}`, code(nameOf(n))), el("span", "price", priceAt(n)), el("span", "fill"), share(mass[n], mass[Math.max(parent[n], 0)]));
  row.append(el("span", "num", number(size[n])), el("span", "num soft worst", number(worst[n])));
  row.append(el("span", "num soft mean", averageText(n, 2)));
  return row;
}

/** What a screen reader says of a row. */
function spoken(n) {
  const answered = n ? `${say("Response {answer}.", { answer: answersInWords(n) })} ` : "";
  const price = priceAt(n) ? `, ${priceAt(n)}` : "";
  const ends = decides(n) ? say("Decision:") : isDone(n) ? say("End:") : say("{Secret}");
  const does = guess[n] < 0 ? ends : isEnd(n) ? say("Wins with") : `${say("{Guess}")} ${depth[n] + 1}:`;
  return `${answered}${does} ${oneLine(nameOf(n))}${price}. ${secrets(size[n])}, ${say("at most {guesses}", { guesses: guesses(worst[n]) })}.`;
}

function share(part, whole) {
  const fill = el("i", "");
  fill.style.width = `${whole ? (100 * part) / whole : 0}%`;
  return el("span", "share", fill);
}

/** What changes in a row while it is in the document. */
function refresh(row, n) {
  row.style.top = `${rowOf[n] * rowHeight}px`;
  row.classList.toggle("on", n === selected);
  row.classList.toggle("trail", trail.has(n));
  row.setAttribute("aria-selected", n === selected);
  if (hasChildren(n)) row.setAttribute("aria-expanded", Boolean(open[n]));
}

const narrow = matchMedia("(max-width: 520px)");
const coarse = matchMedia("(pointer: coarse)");
/** Indentation per level, and the level from which rows are not indented further. */
const indent = () => (narrow.matches ? [9, 4] : [22, 16]);

function fitScreen() {
  rowHeight = coarse.matches ? 42 : 32;
  document.documentElement.style.setProperty("--row", `${rowHeight}px`);
  document.documentElement.style.setProperty("--step", `${indent()[0]}px`);
  drawn = new Map();
  tree.replaceChildren();
  flatten();
  drawRows();
}

// ---- Moving about --------------------------------------------------------------------------------------------

function select(node) {
  // A node is visible when all nodes above it are open.
  let closed = false;
  for (let n = parent[node]; n >= 0; n = parent[n]) {
    closed ||= !open[n];
    open[n] = 1;
  }
  if (closed) flatten();
  selected = node;
  reveal();
  schedule();
}

function reveal() {
  const top = rowOf[selected] * rowHeight;
  const room = scroller.clientHeight - HEAD;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + rowHeight > scroller.scrollTop + room) scroller.scrollTop = top + rowHeight - room;
}

function setOpen(node, value) {
  if (!hasChildren(node) || Boolean(open[node]) === value) return;
  open[node] = value ? 1 : 0;
  if (!value && rowOf[selected] > rowOf[node] && pathTo(selected).includes(node)) selected = node;
  flatten();
  schedule();
}

/** Open the first row, and level by level what is below it, as long as the rows are not too many. */
function openFirst() {
  let level = hasChildren(0) ? [0] : [];
  for (let count = 1; level.length; ) {
    const below = level.flatMap((n) => Array.from({ length: first[n + 1] - first[n] }, (_, i) => first[n] + i));
    count += below.length;
    if (count > MOST_OPENED && level[0]) return;
    for (const n of level) open[n] = 1;
    level = below.filter(hasChildren);
  }
}

function openAll(value) {
  for (let n = 0; n < N; n++) open[n] = value && hasChildren(n) ? 1 : 0;
  if (!value) {
    selected = 0;
    open[0] = 1;
  }
  flatten();
  reveal();
  schedule();
  tree.focus({ preventScroll: true });
}

function go(node) {
  select(node);
  if (hasChildren(node)) setOpen(node, true);
  tree.focus({ preventScroll: true });
}

function onRowClick(event) {
  const row = event.target.closest(".row");
  if (!row) return;
  const node = Number(row.dataset.node);
  const again = node === selected || event.target.closest(".twist");
  select(node);
  setOpen(node, again ? !open[node] : true);
  tree.focus({ preventScroll: true });
}

const page = () => Math.max(1, Math.floor((scroller.clientHeight - HEAD) / rowHeight) - 1);
const move = (by) => select(rows[Math.min(rows.length - 1, Math.max(0, rowOf[selected] + by))]);

function moveRight() {
  if (!open[selected]) setOpen(selected, true);
  else if (hasChildren(selected)) select(first[selected]);
}

function moveLeft() {
  if (open[selected] && hasChildren(selected)) setOpen(selected, false);
  else if (parent[selected] >= 0) select(parent[selected]);
}

const TREE_KEYS = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  ArrowRight: moveRight,
  ArrowLeft: moveLeft,
  PageDown: () => move(page()),
  PageUp: () => move(-page()),
  Home: () => move(-rows.length),
  End: () => move(rows.length),
  Enter: () => setOpen(selected, !open[selected]),
  " ": () => setOpen(selected, !open[selected]),
};

function onTreeKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(TREE_KEYS, event.key)) return;
  event.preventDefault();
  TREE_KEYS[event.key]();
}

function onKey(event) {
  const manual = byId("manual");
  if (event.ctrlKey || event.metaKey || event.altKey || manual.open) return;
  if (guiding() && event.key !== "?") return onGuideKey(event);
  const typing = event.target === query;
  if (event.key === "Escape") clearSearch();
  else if (event.key === "/" && !typing) {
    query.focus();
    query.select();
  } else if (event.key === "?" && !typing) manual.showModal();
  else return;
  event.preventDefault();
}
