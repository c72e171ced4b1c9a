"use strict";

// ---- Guide: one question at a time ---------------------------------------------------------------------------

/** The answers so far, each [guess, response]; the response is -1 where it was not known. */
let picks = [];
const guiding = () => document.body.dataset.mode === "guide";
/** The response of a guess that could not be answered, where the strategy or the table says how that goes on; or -1. */
const noAnswer = data.responses.indexOf("?");

/** The answers that are known. */
const known = () => picks.filter(([, r]) => r >= 0);
const still = () => massesAfter(known().map(([g, r]) => [g, [r]]));
const openNow = () => openedBy(known().map(([g]) => g));

/** Where the answers lead: the guess to ask and its possible responses, or what is known; and how many are left. */
function standing() {
  let node = 0;
  for (const [, r] of picks) {
    if (r < 0) return outside();
    if (r === data.winning) return { node, names: namesOf(node), left: 1 };
    let next = first[node];
    while (!led(next).includes(r)) next++;
    node = next;
  }
  if (isEnd(node)) return ended(namesOf(node), data.decided[node], { node, left: size[node] });
  const told = mayWin(node) ? [data.winning] : [];
  for (let child = first[node]; child < first[node + 1]; child++) told.push(...led(child));
  return { node, ask: guess[node], told: told.sort((a, b) => a - b), left: size[node] };
}

/** What is known at the end: what is possible, how likely, and what is decided. */
function ended(names, decision, more) {
  if (!data.outcomes) return { names, decision, ...more };
  const likely = new Map(ranked(still()));
  const order = names.filter((s) => likely.has(s)).sort((a, b) => likely.get(b) - likely.get(a));
  return { names: order, shares: order.map((s) => likely.get(s)), decision, ...more, left: order.length };
}

/** Where a response was not known: the strategy has no branch for that, so the table says what is left. */
function outside() {
  const some = still();
  const names = [...byKind(some).keys()];
  const [g, r] = known().at(-1) ?? [];
  if (ends(g, r)) return ended(names, undefined, {});
  const [ask, decision] = data.losses ? worthAsking(some) : [names.length > 1 ? tellsMost(some) : -1];
  if (ask < 0) return ended(names, decision, {});
  const told = [...new Set(some.flatMap(([s]) => answersOf(ask, s)))].sort((a, b) => a - b);
  return { ask, told, possible: names, left: names.length };
}

/** The guesses that may be asked: not those that were, answered or not, and only after those that they need. */
function askable(asked) {
  const answered = known().map(([g]) => g).concat(asked);
  const skipped = new Set([...picks.map(([g]) => g), ...asked]);
  const open = (g) => (model?.after[g] ?? []).every((before) => answered.includes(before));
  return held.filter((g) => !skipped.has(g) && open(g));
}

/** What the responses to a guess leave. */
function partsOf(some, g) {
  const parts = new Map();
  for (const [s, left] of some) {
    for (const r of answersOf(g, s)) {
      if (!parts.has(r)) parts.set(r, []);
      parts.get(r).push([s, left * chance(g, s, r)]);
    }
  }
  return parts;
}

/** The guesses that the page holds the responses to. */
const held = data.outcomes ? Object.keys(data.outcomes).map(Number) : [];
/** Numbers looked at before a guess is proposed: about a quarter of a second. */
const MOST_WORK = 2e6;

/** The guess of the least expected cost and loss by what follows, as far ahead as there is time for; or -1 and a decision. */
function worthAsking(some) {
  let best = [Infinity, -1];
  const work = [1];
  for (let deep = 0; deep <= held.length; deep++) {
    let done = 0;
    const least = (some, asked, deep) => {
      done += some.length * (data.decisions.length + (deep && 2 * held.length));
      const whole = sum(some.map(([, left]) => left));
      let best = [Infinity, -1];
      data.decisions.forEach((_, d) => {
        const loss = sum(some.map(([s, left]) => left * (data.losses[d][s] ?? Infinity)));
        if (loss < best[0]) best = [loss, -1, d];
      });
      if (!deep) return best;
      const opened = openedBy([...known().map(([g]) => g), ...asked]);
      for (const g of askable(asked)) {
        let cost = 0;
        for (const [r, part] of partsOf(some, g)) {
          cost += sum(part.map(([, left]) => left)) * (data.prices ? paid(g, r, opened) : 1);
          if (!ends(g, r) && cost < best[0]) cost += least(part, [...asked, g], deep - 1)[0];
        }
        if (cost < best[0] - 1e-9) best = [cost, g];
      }
      return best;
    };
    const now = least(some, [], deep);
    if (now[0] < best[0] - 1e-9) best = now;
    work.push(done);
    if (deep && done ** 2 / work.at(-2) > MOST_WORK) break;
  }
  return best[0] < Infinity ? best.slice(1) : [tellsMost(some), undefined];
}

/** The guess that is not answered yet and tells most for its cost, or -1: one step ahead, ties to the cheaper. */
function tellsMost(some) {
  const before = entropy(some);
  const whole = sum(some.map(([, left]) => left));
  let best = [-1, 0, 0];
  for (const g of askable([])) {
    let bits = before;
    let cost = 0;
    for (const [r, part] of partsOf(some, g)) {
      const likely = sum(part.map(([, left]) => left)) / whole;
      bits -= likely * entropy(part);
      cost += likely * (data.prices ? paid(g, r, openNow()) : 1);
    }
    if (bits < 1e-9) continue;
    const value = bits / cost;
    if (value > best[1] || (value === best[1] && cost < best[2])) best = [g, value, cost];
  }
  return best[0];
}

/** How uncertain it is what is to be known, in bits. */
function entropy(some) {
  const masses = [...byKind(some).values()];
  const whole = sum(masses);
  return -sum(masses.map((left) => (left / whole) * Math.log2(left / whole)));
}

/** What the answers so far have cost, one by one. */
function costs() {
  const opened = [];
  return picks.map(([g, r]) => {
    if (r < 0) return 0;
    const cost = data.prices ? paid(g, r, openedBy(opened)) : 0;
    opened.push(g);
    return cost;
  });
}

function drawGuide() {
  const now = standing();
  const spent = [guesses(known().length), ...(data.priced ? [costText(sum(costs()))] : [])].join(", ");
  const left = `${number(now.left)} of ${secrets(size[0])} left${known().length ? ` · so far ${spent}` : ""}`;
  const over = now.decision !== undefined ? "Decided after" : now.names?.length === 1 ? "Found with" : "";
  byId("state").textContent = over ? `${over} ${spent}` : left;
  byId("asked").replaceChildren(...(now.names ? ending(now) : question(now)));
  byId("choices").replaceChildren(...(now.names ? [] : choices(now)));
  for (const id of ["back", "again"]) byId(id).hidden = !picks.length;
  byId("print").hidden = !now.names;
  byId("answered").replaceChildren(...past(), ...possible(now));
}

function question(now) {
  const notes = [priceOf(now.ask, openNow())];
  if (now.possible) {
    const most = data.priced ? "tells most for its cost" : "tells most";
    const how = data.losses ? "is worth most by what may follow" : most;
    notes.push(`Without an answer the order is no longer proven: this is the ${named("guess")} that ${how}.`);
  }
  const told = notes.filter(Boolean).map((note) => el("p", "mute", note));
  return [el("h2", "", `${named("Guess")} ${picks.length + 1}`), code(guessLabel(now.ask), "big"), ...told];
}

function ending(now) {
  const list = el("ul", "ends", ...now.names.map((s, i) => likelihood(s, now.left > 1 && now.shares ? now.shares[i] : -1)));
  if (now.decision !== undefined) {
    const loss = data.outcomes ? lossText(now.decision, still()) : "";
    const told = loss ? [el("p", "mute", loss)] : [];
    list.classList.add("why");
    return [el("h2", "", "Decision"), code(data.decisions[now.decision], "big"), ...told, el("h2", "", "Still possible"), list];
  }
  const [g, r] = known().at(-1) ?? [];
  const title = ends(g, r) ? "Done. It was" : now.left > 1 ? `No answer tells these ${secrets(now.left)} apart` : "It is";
  return [el("h2", "", title), list];
}

const likelihood = (s, share) => el("li", "", code(data.secrets[s], "big"), share < 0 ? "" : el("span", "mute", percent(share)));

function choices(now) {
  const told = now.told.filter((r) => r !== noAnswer);
  const made = told.map((r, i) => button("choice", () => pick(now.ask, r), ...(i < 9 ? [el("kbd", "", `${i + 1}`)] : []), answer(r)));
  const unsure = now.told.includes(noAnswer) ? noAnswer : -1;
  if (data.outcomes) made.push(button("choice unsure", () => pick(now.ask, unsure), el("kbd", "", "0"), "Don’t know"));
  return made;
}

/** The questions answered; a click goes back to one. */
function past() {
  if (!picks.length) return [];
  const each = costs();
  const rows = picks.map(([g, r], i) => {
    const price = data.priced ? el("span", "mute", r < 0 ? "–" : costText(each[i])) : "";
    const said = r < 0 || r === noAnswer ? el("span", "", "don’t know") : answer(r);
    const row = button("past", () => turn(picks.slice(0, i)), code(guessLabel(g), "small"), said, price);
    row.title = "Answer this again";
    return el("li", "", row);
  });
  return [el("h3", "", "Answers so far"), el("ol", "", ...rows)];
}

const MOST_POSSIBLE = 12;

/** What is possible before the next answer, and how likely where that differs. */
function possible(now) {
  if (now.names) return [];
  const title = el("h3", "", "Still possible");
  const likely = data.outcomes && data.likely ? ranked(still()) : [];
  if (likely.some(([, share]) => share < likely[0][1] - 1e-9)) {
    const some = likely.slice(0, MOST_POSSIBLE).map(([s, share]) => el("span", `chip${around}`, code(data.secrets[s], "small"), el("b", "", percent(share))));
    const rest = likely.slice(MOST_POSSIBLE);
    const others = rest.length ? [el("span", "chip text-label", `${number(rest.length)} others`, el("b", "", percent(sum(rest.map(([, share]) => share)))))] : [];
    return [title, el("div", "chips", ...some, ...others)];
  }
  if (now.left > MOST_POSSIBLE) return [];
  const names = now.possible ?? secretsBelow(now.node);
  return [title, el("div", "chips", ...names.map((s) => el("span", `chip${around}`, code(data.secrets[s], "small"))))];
}

/** Go to other answers; the browser's own way back returns to these. */
function turn(next) {
  picks = next;
  history.pushState({ length: source.length, picks }, "");
  drawGuide();
  byId("asked").focus();
}

/** The answers that the browser remembers, unless the file has changed since. */
const remembered = (state) => (state?.length === source.length ? state.picks : []);
const pick = (g, r) => turn([...picks, [g, r]]);

function onGuideKey(event) {
  if (event.key === "Backspace" && picks.length) turn(picks.slice(0, -1));
  else if (event.key === "0") byId("choices").querySelector(".unsure")?.click();
  else if (/^[1-9]$/.test(event.key)) byId("choices").querySelectorAll(".choice:not(.unsure)")[event.key - 1]?.click();
  else return;
  event.preventDefault();
}

function setMode(mode) {
  document.body.dataset.mode = mode;
  byId("guide").hidden = mode !== "guide";
  document.querySelector("main").hidden = mode === "guide";
  byId("to-guide").setAttribute("aria-pressed", mode === "guide");
  byId("to-tree").setAttribute("aria-pressed", mode !== "guide");
  if (mode === "guide") return drawGuide();
  fitScreen();
  go(standing().node ?? selected);
}
