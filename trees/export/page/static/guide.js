"use strict";

// ---- Guide: one question at a time ---------------------------------------------------------------------------

const guiding = () => document.body.dataset.mode === "guide";
/** Whether what is possible is shown with how likely it is. */
const byChance = Boolean(data.outcomes) && data.likely;

function drawGuide() {
  const now = standing();
  byId("state").replaceChildren(...progress(now));
  byId("asked").replaceChildren(...(now.clash ? clash() : now.names ? ending(now) : question(now)));
  byId("choices").replaceChildren(...(now.names ? [] : choices(now)));
  for (const id of ["back", "again"]) byId(id).disabled = !picks.length && chosen < 0;
  byId("print").hidden = !now.names;
  byId("answered").replaceChildren(...past(now), ...possible(now), ...freely(now));
  drawVerdict(orderNow(now));
  return now;
}

/** How far it is: what is left, what it has cost, and how much may come. */
function progress(now) {
  const more = atMost(now);
  const figures = [
    [say("{some} of {all}", { some: number(now.left), all: number(size[0]) }), say("{some} left", { some: data.forms.secret[formFor(size[0])] })],
    data.priced
      ? [costText(sum(costs())), say("{asked} so far", { asked: guesses(picks.length) })]
      : [number(picks.length), say("{asked} so far", { asked: data.forms.guess[formFor(picks.length)] })],
    [more ? say("at most {guesses}", { guesses: number(more) }) : "0", say("more {asked}", { asked: data.forms.guess[formFor(more)] })],
  ];
  return figures.map(([value, what]) => el("div", "", el("dt", "", what), el("dd", "", value)));
}

function question(now) {
  const title = [`${say("{Guess}")} ${picks.length + 1}`, priceOf(now.ask, openNow())].filter(Boolean).join(" · ");
  const parts = [el("h2", "", title), code(guessLabel(now.ask), "big"), ...remarksOf("guesses", now.ask)];
  const shown = data.patterns?.[now.node];
  if (shown) parts.splice(1, 0, el("p", "shown", pattern(shown)));
  const notes = [reason(now)];
  if (now.possible) {
    const most = data.priced ? say("this is the {guess} that tells most for its cost") : say("this is the {guess} that tells most");
    const why = data.losses ? say("this is the {guess} that is worth most by what may follow") : most;
    if (chosen >= 0) notes.push(say("Chosen by you, not by the strategy."));
    else if (!data.proven) notes.push(say("Not by the strategy: {why}.", { why }));
    else if (picks.some(([, r]) => r < 0)) notes.push(say("Without an answer the order is no longer proven: {why}.", { why }));
    else notes.push(say("The order is no longer the proven one: {why}.", { why }));
  }
  const instead = chosen < 0 ? [] : [button("instead", () => turn(picks), say("Ask what is proposed"))];
  return [...parts, ...notes.filter(Boolean).map((note) => el("p", "mute", note)), ...instead];
}

const MOST_PARTS = 4;

/** Why this is asked: what it splits the secrets into. */
function reason(now) {
  const sizes = [...leaves(now).values()].map(([left]) => left).sort((a, b) => b - a);
  if (sizes.length < 2) return "";
  const apart = sum(sizes) === now.left;
  const win = now.node >= 0 && mayWin(now.node) ? say(", and may be the {secret} itself") : "";
  const all = secrets(now.left);
  if (sizes.length > MOST_PARTS) {
    const most = number(sizes[0]);
    const split = say("Splits {all} into {groups} groups, the largest of {most}", { all, groups: sizes.length, most });
    return (apart ? split : say("Leaves at most {most} of {all}", { most, all })) + win;
  }
  if (sizes.at(-1) === now.left) return say("Rules out no {secret}, but makes some likelier");
  if (apart && sizes[0] === 1) return (now.left === 2 ? say("Tells both {secrets} apart") : say("Tells {all} apart", { all })) + win;
  const listed = sizes.slice(0, -1).map(number).join(", ");
  const last = number(sizes.at(-1));
  return (apart ? say("Splits {all} into {some} and {last}", { all, some: listed, last }) : say("Leaves {some} or {last} of {all}", { all, some: listed, last })) + win;
}

function ending(now) {
  const list = el("ul", "ends", ...now.names.map((s, i) => likelihood(s, now.left > 1 && now.shares ? now.shares[i] : -1)));
  if (now.decision !== undefined) {
    const loss = data.outcomes ? lossText(now.decision, still()) : "";
    const lines = loss ? [el("p", "mute", loss)] : [];
    list.classList.add("why");
    return [el("h2", "", say("Decision")), code(data.decisions[now.decision], "big"), ...lines, el("h2", "", say("Still possible")), list];
  }
  const [g, r] = known().at(-1) ?? [];
  const one = toWin && !now.won ? say("It can only be") : say("It is");
  const several = say("No answer tells these {all} apart", { all: secrets(now.left) });
  const title = ends(g, r) ? say("Done. It was") : now.left > 1 ? several : one;
  return [el("h2", "", title), list];
}

const likelihood = (s, share) => el("li", "", code(data.secrets[s], "big"), share < 0 ? "" : el("span", "mute", percent(share)), ...remarksOf("secrets", s));

// ---- Choosing a response -------------------------------------------------------------------------------------

/** More responses than have a key are put together from the marks of the symbols, where they are made of these. */
const MOST_CHOICES = 9;

function choices(now) {
  if (now.clash) return [];
  const answers = now.answers.filter((r) => r !== noAnswer(now.ask));
  const parts = leaves(now);
  if (answers.length > MOST_CHOICES && answers.every((r) => marksOf(now.ask, r))) return composer(now, parts);
  const made = answers.map((r, i) => {
    const likely = byChance && parts.has(r) ? el("span", "chance", percent(parts.get(r)[1])) : "";
    const to = now.node >= 0 ? childBy(now.node, r) : -1;
    return button("choice", () => pick(now.ask, r), ...(i < MOST_CHOICES ? [el("kbd", "", `${i + 1}`)] : []), answer(now.ask, r, to), likely);
  });
  const unsure = now.answers.includes(noAnswer(now.ask)) ? noAnswer(now.ask) : -1;
  if (mayPass || unsure >= 0) made.push(button("choice unsure", () => pick(now.ask, unsure), el("kbd", "", "0"), say("Don’t know")));
  return made;
}

const NEXT_MARK = { "-": "+", "+": "=", "=": "-" };
const TYPED_MARKS = { "=": "=", 2: "=", g: "=", "+": "+", 1: "+", y: "+", "-": "-", 0: "-", ".": "-", b: "-", x: "-" };

/** The symbols of a guess as buttons: each press goes on to the next mark; and a button that takes the response. */
function composer(now, parts) {
  const symbols = [...guessLabel(now.ask)];
  const signs = symbols.map(() => "-");
  const found = () => now.answers.find((r) => data.responses[r] === signs.join(""));
  const take = button("choice take", () => found() !== undefined && pick(now.ask, found()));
  const tiles = symbols.map((symbol, i) => {
    const tile = button("tile", () => set(i, NEXT_MARK[signs[i]]), symbol, el("small", ""));
    tile.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) tiles[i + step]?.focus();
    });
    return tile;
  });
  const set = (i, sign) => {
    signs[i] = sign;
    tiles.forEach((tile, j) => {
      mark(tile, signs[j]);
      tile.lastChild.textContent = signs[j];
      tile.setAttribute("aria-label", `${symbols[j]}, ${MARKS[signs[j]]}`);
    });
    const left = parts.get(found())?.[0];
    take.disabled = left === undefined;
    take.textContent = left === undefined ? say("No {secret} left gives this response") : say("Go on: {some} left", { some: secrets(left) });
    if (found() === data.winning) take.textContent = say("It was right");
  };
  set(0, "-");
  const board = el("div", "board", ...tiles);
  board.addEventListener("typed", ({ detail }) => {
    const at = Math.max(0, tiles.indexOf(document.activeElement));
    set(at, detail);
    (tiles[at + 1] ?? take).focus();
  });
  const how = say("Press each tile until it is marked as it was: {marks}", { marks: Object.values(MARKS).join(", ") });
  return [board, el("p", "mute", how, el("span", "typed", say("; or type g, y, b or =, +, -")), "."), take];
}

/** Type a mark on the board; whether there is one. */
function typeMark(key) {
  const board = document.querySelector("#choices .board");
  const sign = TYPED_MARKS[key.toLowerCase()];
  if (!board || !sign) return false;
  board.dispatchEvent(new CustomEvent("typed", { detail: sign }));
  return true;
}

// ---- What was answered, and what is possible -----------------------------------------------------------------

/** The questions answered; a click goes back to one. */
function past(now) {
  if (!picks.length) return [];
  const each = costs();
  const nodes = walk().after;
  const rows = picks.map(([g, r], i) => {
    const price = data.priced ? el("span", "mute", costText(each[i])) : "";
    const said = r < 0 || r === noAnswer(g) ? el("span", "", say("don’t know")) : answer(g, r, nodes[i]);
    const asked = r >= 0 && showsGuess(g, r, nodes[i]) ? [said] : [code(guessLabel(g), "small"), said];
    const row = button("past", () => turn(picks.slice(0, i)), ...asked, price);
    row.title = say("Answer this again");
    const without = button("without", () => turn(picks.filter((_, at) => at !== i)), "×");
    without.setAttribute("aria-label", say("Take back: {what}", { what: oneLine(guessLabel(g)) }));
    without.title = say("Take back this answer alone");
    return el("li", "", row, ...(free ? [without] : []));
  });
  return [el("h3", "", now.names ? say("The way here") : say("Answers so far")), el("ol", "", ...rows)];
}

const MOST_POSSIBLE = 12;
const MOST_LISTED = 1000;

/** What is possible before the next answer, and how likely where that differs. */
function possible(now) {
  if (now.names) return [];
  const title = el("h3", "", say("Still possible"));
  const likely = byChance ? ranked(still()) : [];
  if (likely.some(([, share]) => share < likely[0][1] - 1e-9)) {
    const some = likely.slice(0, MOST_POSSIBLE).map(([s, share]) => el("span", `chip${around}`, code(data.secrets[s], "small"), el("b", "", percent(share))));
    const rest = likely.slice(MOST_POSSIBLE);
    const others = rest.length ? [el("span", "chip text-label", says("{n} other", "{n} others", rest.length), el("b", "", percent(sum(rest.map(([, share]) => share)))))] : [];
    return [title, el("div", "chips", ...some, ...others)];
  }
  if (now.left > MOST_POSSIBLE && !free) return [];
  const names = now.possible ?? secretsBelow(now.node);
  const chips = () => el("div", "chips", ...names.slice(0, MOST_LISTED).map((s) => el("span", `chip${around}`, code(data.secrets[s], "small"))));
  return now.left > MOST_POSSIBLE ? [fold("left", `${say("Still possible")}: ${number(names.length)}`, () => [chips()])] : [title, chips()];
}

// ---- Moving about: the address has the view and the answers, so that it can be kept ---------------------------

function address(mode) {
  const [all, next] = [picks, chosen];
  const said = [];
  [picks, chosen] = [[], -1];
  for (const [g, r] of all) {
    // The question of the strategy goes without saying.
    const { nodes, beside } = walk();
    said.push(`${!beside.length && guess[nodes.at(-1)] === g ? "" : `${g}:`}${r < 0 ? "x" : r}`);
    picks = [...picks, [g, r]];
  }
  [picks, chosen] = [all, next];
  if (chosen >= 0) said.push(`${chosen}:`);
  return `#${mode}${said.length ? `=${said.join(".")}` : ""}`;
}

/** Take view and answers from the address, as far as they fit; the view is left alone where it says none. */
function readAddress(otherwise) {
  const [, mode = otherwise, answers = ""] = /^#(guide|explore)(?:=([\d.x:]+))?$/.exec(location.hash) ?? [];
  [picks, chosen] = [[], -1];
  for (const one of answers.split(".").filter(Boolean)) {
    const [, asked, said] = /^(?:(\d+):)?(x|\d*)$/.exec(one) ?? [];
    if (said === undefined || (asked !== undefined && !(free && still().length && askable([]).includes(Number(asked))))) break;
    if (said === "") {
      chosen = Number(asked ?? -1);
      break;
    }
    const now = asked === undefined ? standing() : { ask: Number(asked), answers: answersTo(Number(asked)) };
    const r = said === "x" ? -1 : Number(said);
    if (now.names || !(r < 0 ? mayPass : now.answers.includes(r))) break;
    picks.push([now.ask, r]);
  }
  showMode(mode);
}

function showMode(mode) {
  const guide = mode === "guide";
  document.body.dataset.mode = mode;
  byId("guided").hidden = !guide;
  byId("explored").hidden = guide;
  byId("to-guide").setAttribute("aria-pressed", guide);
  byId("to-tree").setAttribute("aria-pressed", !guide);
  if (guide) return drawGuide();
  drawVerdict();
  fitScreen();
  go(standing().node ?? selected);
}

function changeMode(mode) {
  if (document.body.dataset.mode !== mode) history.pushState(null, "", address(mode));
  showMode(mode);
}

/** What a screen reader says of where the guide is. */
function spokenNow(now) {
  const left = say("{some} of {all} left.", { some: number(now.left), all: secrets(size[0]) });
  if (!now.names) return `${say("{Guess}")} ${picks.length + 1}: ${oneLine(guessLabel(now.ask)).replace(/[.?!]*$/, (end) => end || ".")} ${left}`;
  const [title, found] = [...byId("asked").children].map((part) => part.textContent);
  if (now.clash) return `${title}.`;
  return `${title}: ${now.decision === undefined ? now.names.map((s) => oneLine(data.secrets[s])).join(", ") : found}.`;
}

/** Go to other answers, and to a guess that was chosen; the browser's own way back returns to these. */
function turn(next, ask = -1) {
  [picks, chosen] = [next, ask];
  history.pushState(null, "", address("guide"));
  const now = drawGuide();
  byId("said").textContent = spokenNow(now);
  byId(now.names ? "asked" : "choices").focus({ preventScroll: true });
  byId("asked").scrollIntoView({ block: "nearest" });
}

const pick = (g, r) => turn([...picks, [g, r]]);
/** Take back the last choice or answer. */
const stepBack = () => turn(chosen >= 0 ? picks : picks.slice(0, -1));

function onGuideKey(event) {
  if (event.target.matches?.("input")) return;
  if (typeMark(event.key)) event.preventDefault();
  else if (event.key === "Backspace" && (chosen >= 0 || picks.length)) stepBack();
  else if (event.key === "0") byId("choices").querySelector(".unsure")?.click();
  else if (/^[1-9]$/.test(event.key)) byId("choices").querySelectorAll(".choice:not(.unsure)")[event.key - 1]?.click();
  else return;
  event.preventDefault();
}
