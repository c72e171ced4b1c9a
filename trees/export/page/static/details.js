"use strict";

// ---- Details of the selected node ----------------------------------------------------------------------------

const FIRST_SHOWN = 200;
/** So many codes are drawn as pegs; more are text, which is quicker. */
const MOST_DRAWN = 2000;

function drawDetails() {
  shownDetails = selected;
  const n = selected;
  const box = byId("details");
  box.scrollTop = 0;
  box.replaceChildren(el("h2", "", n ? "Path" : "Start"), steps(n), ...headline(n));
  if (hasChildren(n)) box.append(el("h2", "", named("After this guess")), partition(n));
  if (size[n] > 1 || isDone(n)) box.append(el("h2", "", many(size[n], named("possible secret"), named("possible secrets"))), ...remaining(n));
}

const MOST_STEPS = 40;

/** The last steps of a path, and a note of those left out. */
function lastSteps(path) {
  const left = Math.max(0, path.length - MOST_STEPS);
  return [path.slice(left), left ? [el("li", "mute", `${many(left, "step")} before …`)] : []];
}

/** The guesses and responses above a node. */
function steps(node) {
  const [path, note] = lastSteps(pathTo(node));
  const list = el("ol", "steps", ...note);
  path.slice(0, -1).forEach((n, i) => {
    list.append(el("li", "", button("", () => go(n), ...turnTo(path[i + 1]))));
  });
  if (!node) list.append(el("li", "mute", "Nothing asked yet."));
  return list;
}

function headline(n) {
  const title = guess[n] < 0 ? (isDone(n) ? "End" : decides(n) ? "Decision" : named("The secret")) : `${named("Guess")} ${depth[n] + 1}${isEnd(n) ? " wins" : ""}`;
  const parts = [el("h2", "", title), el("div", `now${frame(n)}`, code(nameOf(n), "big"))];
  if (decides(n)) return [...parts, el("p", "mute", `Decided after ${guesses(depth[n])}.`), ...lossAt(n)];
  if (isDone(n)) return [...parts, el("p", "mute", `Over after ${guesses(depth[n])}.`)];
  if (guess[n] < 0) return [...parts, el("p", "mute", `Identified with ${guesses(depth[n])}.`)];
  if (isEnd(n)) return [...parts, el("p", "mute", named("It is the only secret left."))];
  if (priceAt(n)) parts.push(el("p", "mute", priceAt(n)));
  const facts = el("dl", "facts");
  const figures = [[size[n] === 1 ? named("secret") : named("secrets"), number(size[n])], [named("guesses on average"), averageText(n, 4)], [named("guesses at most"), number(worst[n])]];
  for (const [key, value] of figures) facts.append(el("dt", "", key), el("dd", "", value));
  parts.push(facts);
  if (toWin && size[n] > 1) parts.push(el("p", "mute", mayWin(n) ? named("This guess may itself be the secret.") : named("This guess cannot be the secret; it only tells secrets apart.")));
  return parts;
}

/** What is expected to be lost by the decision of a node. */
function lossAt(n) {
  const loss = data.outcomes ? lossText(data.decided[n], massesAt(n)) : "";
  return loss ? [el("p", "mute", loss)] : [];
}

/** The table of responses: how many secrets give each, and how it goes on. */
function partition(n) {
  const head = el("tr", "");
  for (const text of ["Response", named("Secrets"), "Share", "Worst", "Average"]) {
    const cell = el("th", "", text);
    cell.scope = "col";
    head.append(cell);
  }
  const body = el("tbody", "");
  for (let child = first[n]; child < first[n + 1]; child++) body.append(partRow(n, child));
  if (mayWin(n)) {
    const own = data.weight ? data.weight[n] : 1;
    const cells = [answer(guess[n], data.winning), "1", share(own, mass[n]), el("span", "win", "wins"), ""];
    body.append(el("tr", "", ...cells.map((inside) => el("td", "", inside))));
  }
  const table = el("table", "", el("thead", "", head), body);
  table.setAttribute("aria-label", named("Responses to this guess"));
  return table;
}

function partRow(n, child) {
  const enter = button("", () => go(child), ...answers(child));
  const cells = [enter, number(size[child]), share(mass[child], mass[n]), `${worst[child]}`, averageText(child, 2)];
  const row = el("tr", "go", ...cells.map((inside) => el("td", "", inside)));
  row.addEventListener("click", (event) => {
    if (!event.target.closest("button")) go(child);
  });
  return row;
}

function remaining(n) {
  const likely = data.outcomes && data.likely ? new Map(ranked(massesAt(n))) : null; // by the order of their likelihood
  const all = likely ? [...likely.keys()] : secretsBelow(n);
  const chips = el("div", "chips");
  chips.append(...all.slice(0, FIRST_SHOWN).map((s) => chip(s, true, likely?.get(s))));
  chips.addEventListener("click", (event) => {
    const found = event.target.closest(".chip");
    if (found) find(Number(found.dataset.secret));
  });
  if (all.length <= FIRST_SHOWN) return [chips];
  const more = button("more", () => {
    const rest = new DocumentFragment();
    for (const s of all.slice(FIRST_SHOWN)) rest.append(chip(s, all.length <= MOST_DRAWN, likely?.get(s)));
    chips.append(rest);
    more.remove();
  }, `Show all ${number(all.length)}`);
  return [chips, more];
}

function chip(s, pegs, share) {
  const label = data.secrets[s];
  const made = el("span", `chip${pegs ? around : " text-label"}`, pegs ? code(label, "small") : oneLine(label), share === undefined ? "" : el("b", "", percent(share)));
  made.dataset.secret = s;
  made.title = "Show how it is found";
  return made;
}
