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
  box.replaceChildren(el("h2", "", n ? say("Path") : say("Start")), steps(n), ...headline(n));
  if (hasChildren(n)) box.append(el("h2", "", say("After this {guess}")), partition(n));
  if (size[n] > 1 || isDone(n)) box.append(el("h2", "", says("{n} possible {secret}", "{n} possible {secrets}", size[n])), ...remaining(n));
}

const MOST_STEPS = 40;

/** The last steps of a path, and a note of those left out. */
function lastSteps(path) {
  const left = Math.max(0, path.length - MOST_STEPS);
  return [path.slice(left), left ? [el("li", "mute", says("{n} step before …", "{n} steps before …", left))] : []];
}

/** The guesses and responses above a node. */
function steps(node) {
  const [path, note] = lastSteps(pathTo(node));
  const list = el("ol", "steps", ...note);
  path.slice(0, -1).forEach((n, i) => {
    list.append(el("li", "", button("", () => go(n), ...turnTo(path[i + 1]))));
  });
  if (!node) list.append(el("li", "mute", say("Nothing asked yet.")));
  return list;
}

function headline(n) {
  const end = isDone(n) ? say("End") : decides(n) ? say("Decision") : say("The {secret}");
  const asks = isEnd(n) ? say("{Guess} {number} wins", { number: depth[n] + 1 }) : `${say("{Guess}")} ${depth[n] + 1}`;
  const title = guess[n] < 0 ? end : asks;
  const parts = [el("h2", "", title), el("div", `now${frame(n)}`, code(nameOf(n), "big")), ...remarksAt(n)];
  if (decides(n)) return [...parts, el("p", "mute", say("Decided after {asked}.", { asked: guesses(depth[n]) })), ...lossAt(n)];
  if (isDone(n)) return [...parts, el("p", "mute", say("Over after {asked}.", { asked: guesses(depth[n]) }))];
  if (guess[n] < 0) return [...parts, el("p", "mute", say("Identified with {asked}.", { asked: guesses(depth[n]) }))];
  if (isEnd(n)) return [...parts, el("p", "mute", say("It is the only {secret} left."))];
  if (priceAt(n)) parts.push(el("p", "mute", priceAt(n)));
  const facts = el("dl", "facts");
  const figures = [[data.forms.secret[formFor(size[n])], number(size[n])], [say("{guesses} on average"), averageText(n, 4)], [say("{guesses} at most"), number(worst[n])]];
  for (const [key, value] of figures) facts.append(el("dt", "", key), el("dd", "", value));
  parts.push(facts);
  if (toWin && size[n] > 1) parts.push(el("p", "mute", mayWin(n) ? say("This {guess} may itself be the {secret}.") : say("This {guess} cannot be the {secret}; it only tells {secrets} apart.")));
  return parts;
}

/** The notes and pictures of what is asked or named at a node. */
const remarksAt = (n) => (guess[n] >= 0 ? remarksOf("guesses", guess[n]) : decides(n) || isDone(n) ? [] : namesOf(n).flatMap((s) => remarksOf("secrets", s)));

/** What is expected to be lost by the decision of a node. */
function lossAt(n) {
  const loss = data.outcomes ? lossText(data.decided[n], massesAt(n)) : "";
  return loss ? [el("p", "mute", loss)] : [];
}

/** The table of responses: how many secrets give each, and how it goes on. */
function partition(n) {
  const head = el("tr", "");
  for (const text of [say("Response"), say("{Secrets}"), say("Share"), say("Worst"), say("Average")]) {
    const cell = el("th", "", text);
    cell.scope = "col";
    head.append(cell);
  }
  const body = el("tbody", "");
  for (let child = first[n]; child < first[n + 1]; child++) body.append(partRow(n, child));
  if (mayWin(n)) {
    const own = data.weight ? data.weight[n] : 1;
    const cells = [answer(guess[n], data.winning), "1", share(own, mass[n]), el("span", "win", say("wins")), ""];
    body.append(el("tr", "", ...cells.map((inside) => el("td", "", inside))));
  }
  const table = el("table", "", el("thead", "", head), body);
  table.setAttribute("aria-label", say("Responses to this {guess}"));
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
  }, say("Show all {number}", { number: number(all.length) }));
  return [chips, more];
}

function chip(s, pegs, share) {
  const label = data.secrets[s];
  const made = el("span", `chip${pegs ? around : " text-label"}`, pegs ? code(label, "small") : oneLine(label), share === undefined ? "" : el("b", "", percent(share)));
  made.dataset.secret = s;
  made.title = say("Show how it is found");
  return made;
}
