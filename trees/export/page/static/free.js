"use strict";

// ---- Free order: any question first, in a page that holds the whole table ---------------------------------------

/** Whether questions may be asked in any order: those of a table, whose answers the page holds. */
const free = mayPass;
/** The guess that was chosen to be asked next; or -1. */
let chosen = -1;

/** The steps of the strategy that the answers take, in whatever order they were given, and the picks that are not on it. */
function walk() {
  const nodes = [0];
  const after = picks.map(() => -1);
  const beside = new Set(picks.keys());
  while (nodes.at(-1) >= 0) {
    const asks = guess[nodes.at(-1)];
    const i = picks.findIndex(([g], at) => beside.has(at) && g === asks);
    if (i < 0) break;
    beside.delete(i);
    after[i] = childBy(nodes.at(-1), picks[i][1]);
    nodes.push(after[i]);
  }
  return { nodes, after, beside: [...beside] };
}

/** Whether the strategy goes on from a node as if only its own questions had been asked, though others were. */
function goesOn(node, beside) {
  if (!beside.length) return true;
  if (!data.outcomes || worstCounts || model?.about || (model && Object.keys(model.after).length)) return false;
  const own = picks.filter((_, at) => !beside.includes(at));
  const others = new Set(beside.map((at) => picks[at][0]));
  if (isEnd(node) && !data.losses) return true;
  if (below(node).some((n) => others.has(guess[n]))) return false;
  const opened = openedBy(own.map(([g]) => g));
  if ([...openNow()].some((group) => !opened.has(group))) return false;
  // What the others were answered has changed nothing: every weight is left, or the same part of each.
  const [before, now] = [massesAfter(own.filter(([, r]) => r >= 0).map(([g, r]) => [g, [r]])), still()];
  if (before.length !== now.length) return false;
  const part = now[0][1] / before[0][1];
  return now.every(([s, left], i) => s === before[i][0] && Math.abs(left / (part * before[i][1]) - 1) < 1e-9);
}

/** The nodes below a node, itself among them. */
function below(node) {
  const found = [];
  for (let from = node, to = node + 1; from < to; [from, to] = [first[from], first[to]]) {
    for (let n = from; n < to; n++) found.push(n);
  }
  return found;
}

/** What a guess would tell now: bits, how many things it leaves on average, its cost, and what it takes with a decision. */
function outlook(some, g, before = entropy(some)) {
  const whole = sum(some.map(([, left]) => left));
  const opened = openNow();
  let [bits, left, cost, loss] = [before, 0, 0, 0];
  for (const [r, part] of partsOf(some, g)) {
    const likely = sum(part.map(([, mass]) => mass)) / whole;
    bits -= likely * entropy(part);
    left += likely * byKind(part).size;
    cost += likely * (data.prices ? paid(g, r, opened) : 1);
    if (!data.losses || ends(g, r)) continue;
    const least = Math.min(...data.decisions.map((_, d) => lossOf(d, part)));
    loss = worstCounts ? Math.max(loss, least) : loss + likely * least;
  }
  if (worstCounts && data.losses) loss = Math.max(loss, ...[Math.min(...data.decisions.map((_, d) => lossOf(d, some)))]);
  const cells = some.map(([s]) => JSON.stringify(data.outcomes[g][s]));
  if (cells.every((cell) => cell === cells[0])) bits = 0;
  return { g, bits: bits < 1e-9 ? 0 : bits, left, cost, loss: data.losses ? loss : undefined };
}

/** All guesses that may be asked, those first that tell most for their cost, or after which it takes least to decide. */
function ranking(some) {
  const before = entropy(some);
  const worth = (one) => (one.cost ? -one.bits / one.cost : -1e9 * one.bits);
  const takes = (one) => (data.losses ? one.cost + one.loss : 0);
  const order = (a, b) => takes(a) - takes(b) || worth(a) - worth(b) || a.cost - b.cost || a.g - b.g;
  return askable([]).map((g) => outlook(some, g, before)).sort((a, b) => order(a, b) || 0);
}

/** Whether asking may be of use: its answer tells something, or ends the path. */
const helps = ({ g, bits }) => bits > 0 || Boolean(model?.ends[g]);

/** The answers of a thing to a guess: those that any of its secrets may get. */
function answersOfKind(kind, g) {
  const secretsOf = data.kinds ? data.kinds.flatMap((k, s) => (k === kind ? [s] : [])) : [kind];
  return [...new Set(secretsOf.flatMap((s) => answersOf(g, s)))].sort((a, b) => a - b);
}

/** The answers known that a thing cannot have given. */
const against = (kind) => known().filter(([g, r]) => r !== model?.silent && !answersOfKind(kind, g).includes(r));

/** How likely the answer to a guess is if a thing is there. */
function chanceOfKind(kind, g, r) {
  const all = massesAfter([]).filter(([s]) => kindOf(s) === kind);
  return sum(all.map(([s, weight]) => weight * chance(g, s, r))) / sum(all.map(([, weight]) => weight));
}

// ---- What of it is shown --------------------------------------------------------------------------------------

/** What is unfolded, which stays so from one question to the next. */
const unfolded = new Set();

function fold(name, title, inside) {
  const box = el("details", "fold", el("summary", "", title));
  box.id = `fold-${name}`;
  const fill = () => box.childElementCount > 1 || box.append(...inside());
  const turned = (open) => {
    unfolded[open ? "add" : "delete"](name);
    if (open) fill();
  };
  box.firstChild.addEventListener("click", () => turned(!box.open)); // at once, so that nothing jumps
  box.addEventListener("toggle", () => turned(box.open));
  if (unfolded.has(name)) {
    box.open = true;
    fill();
  }
  return box;
}

/** A guess before what it was answered: a question needs no colon. */
const asks = (g) => oneLine(guessLabel(g)).replace(/[^?]$/, (end) => `${end}:`);
const answerWords = (g, rs) => rs.map((r) => inWords(g, r)).join(say(" or "));
const figure = (n) => numberText(`${Number(n.toPrecision(n < 10 ? 2 : 3))}`);

/** The answers that a guess may get from any secret, and no answer where that is one. */
const answersTo = (g) => [...new Set([...data.outcomes[g].flatMap((_, s) => answersOf(g, s)), ...(noAnswer(g) < 0 ? [] : [noAnswer(g)])])].sort((a, b) => a - b);

/** What else may be asked, what those left differ in, and why another is not among them. */
function freely(now) {
  if (!free) return data.whole === false ? [el("p", "mute", say("The table is too large for this page: it asks in the order of the strategy alone."))] : [];
  const some = still();
  if (!some.length) return [];
  const over = known().some(([g, r]) => ends(g, r));
  const rows = over ? [] : ranking(some).filter(({ g }) => g !== now.ask);
  const several = byKind(some).size > 1;
  const others = now.names ? [] : answersTo(now.ask).filter((r) => r !== noAnswer(now.ask) && !now.answers.includes(r));
  return [
    ...(others.length ? [fold("none", say("None of these answers?"), () => noneOf(now, others))] : []),
    ...(rows.some(helps) ? [fold("others", now.names ? say("Ask more") : say("Ask something else"), () => elsewhere(rows))] : []),
    ...(several ? [fold("differ", say("What they differ in"), () => differences(some, rows, now))] : []),
    ...(data.secrets.length > 1 && picks.length ? [fold("why", say("Why not …?"), () => whyNot(some))] : []),
  ];
}

/** The answers that nothing left gives: they mean that an earlier one is wrong. */
function noneOf(now, others) {
  const note = el("p", "mute", say("No {secret} that is left gives another answer: an earlier answer is wrong, or it is not in the table."));
  return [note, el("div", "rest", ...others.map((r) => button("offer", () => pick(now.ask, r), answer(now.ask, r))))];
}

function elsewhere(rows) {
  const useful = rows.filter(helps);
  const rest = rows.filter((one) => !helps(one));
  const by = data.losses ? say("First what takes least, with the decision after it, one step ahead.") : data.priced ? say("First what tells most for its cost (bits on what it is), one step ahead.") : say("First what tells most (bits on what it is), one step ahead.");
  const whole = data.whole ? [] : [el("p", "mute", say("The table is too large for this page: only the {guesses} of the strategy are here."))];
  const list = el("ol", "rank", ...useful.map((one) => el("li", "", offer(one))));
  const none = rest.length ? [el("p", "mute", say("Of no use now: {some}.", { some: rest.map(({ g }) => oneLine(guessLabel(g))).join(", ") }))] : [];
  return [el("p", "mute", by), ...whole, list, ...none];
}

function offer({ g, bits, left, cost, loss }) {
  const price = priceOf(g, openNow());
  const leaves = data.losses
    ? say("{cost} with the decision", { cost: costText(Number((cost + loss).toPrecision(3))) })
    : say("{left} left on average", { left: figure(left) });
  return button("offer", () => choose(g), code(guessLabel(g), "small"), el("span", "mute", [leaves, say("{bits} bits", { bits: figure(bits) }), price].filter(Boolean).join(" · ")));
}

const MOST_DIFFER = 12;

/** The answers of a thing that is left, each with how likely it is where they are not equally so. */
function saidOfKind(kind, g, some) {
  const own = answersOfKind(kind, g).filter((r) => some.some(([s]) => kindOf(s) === kind && chance(g, s, r) > 0));
  const shares = own.map((r) => chanceOfKind(kind, g, r));
  if (shares.every((share) => Math.abs(share - shares[0]) < 1e-9)) return answerWords(g, own);
  return own.map((r, i) => `${inWords(g, r)} ${percent(shares[i]).replace(" ", "\u00a0")}`).join(", ");
}

/** Which of those left give which answer to what is not asked yet. */
function differences(some, rows, now) {
  const kinds = ranked(some).map(([s]) => s);
  const asked = now.ask >= 0 ? [outlook(some, now.ask)] : [];
  const tests = [...asked, ...rows].filter(({ bits }) => bits > 0);
  const shown = kinds.slice(0, MOST_DIFFER);
  const more = kinds.length - shown.length;
  const lists = tests.slice(0, MOST_DIFFER).map(({ g }) => {
    const groups = new Map();
    for (const kind of shown) {
const said = saidOfKind(kind, g, some);
      groups.set(said, [...(groups.get(said) ?? []), oneLine(data.secrets[kind])]);
    }
    const lines = [...groups].map(([said, names]) => el("div", "", el("dt", "", said), el("dd", "", names.join(", "))));
    return el("div", "differ", el("h4", "", oneLine(guessLabel(g))), el("dl", "", ...lines));
  });
  const left = more > 0 ? [el("p", "mute", says("The likeliest; {n} other is left.", "The likeliest; {n} others are left.", more))] : [];
  return [...left, ...(lists.length ? lists : [el("p", "mute", say("No {guess} that is left tells them apart."))])];
}

const MOST_WHY = 30;

/** Each thing that is not the likeliest, with the answers that rule it out or speak against it. */
function whyNot(some) {
  const masses = new Map(ranked(some));
  const all = data.secrets.map((_, s) => s);
  const list = el("ul", "why-not");
  const field = el("input", "");
  const show = () => {
    const wanted = field.value.trim().toLowerCase();
    const found = all.filter((s) => (wanted ? data.secrets[s].toLowerCase().includes(wanted) : !masses.has(s) || (model && masses.size > 1)));
    const items = found.slice(0, MOST_WHY).map((s) => el("li", "", el("b", "", oneLine(data.secrets[s])), ...reasons(s, masses)));
    const more = found.length > MOST_WHY ? [el("li", "mute", say("{n} more: type the beginning of a name", { n: number(found.length - MOST_WHY) }))] : [];
    list.replaceChildren(...(items.length ? items : [el("li", "mute", wanted ? say("No {secret} has such a name.") : say("None is ruled out yet."))]), ...more);
  };
  field.type = "search";
  field.maxLength = 200;
  field.autocomplete = "off";
  field.placeholder = say("Name of a {secret}");
  field.setAttribute("aria-label", say("Name of a {secret}"));
  field.addEventListener("input", show);
  show();
  return [field, list];
}

/** Why a thing is not what it is, or how likely it is and what speaks against it. */
function reasons(kind, masses) {
  const line = (text) => el("span", "reason", text);
  if (!masses.has(kind)) {
    const wrong = against(kind).map(([g, r]) => line(say("{test} {said}; there it is {own}", { test: asks(g), said: inWords(g, r), own: answerWords(g, answersOfKind(kind, g)) })));
    return wrong.length ? wrong : [line(say("Ruled out by the answers together."))];
  }
  if (!byChance) return [line(say("Still possible."))];
  const before = new Map(ranked(massesAfter([]))).get(kind);
  const first = say("{now} now, {before} before the first answer.", { now: percent(masses.get(kind)), before: percent(before) });
  const rows = known().filter(([g, r]) => r !== model?.silent).map(([g, r]) => [g, r, chanceOfKind(kind, g, r)]).filter(([, , p]) => p < 1);
  const said = rows.sort((a, b) => a[2] - b[2]).map(([g, r, p]) => line(say("{test} {said} in {share} of its cases", { test: asks(g), said: inWords(g, r), share: percent(p) })));
  return [line(first), ...said];
}

/** What is said where no thing gives all answers: which of them are to be doubted. */
function clash() {
  const all = data.secrets.map((_, s) => [s, against(s)]).sort((a, b) => a[1].length - b[1].length);
  const fewest = all[0][1].length;
  const lines = all.filter(([, wrong]) => wrong.length === fewest).slice(0, MOST_DIFFER).map(([s, wrong]) => {
    const what = wrong.map(([g, r]) => `${asks(g)} ${inWords(g, r)}`).join(", ");
    return el("li", "", el("b", "", oneLine(data.secrets[s])), el("span", "reason", say("but for {what}", { what })));
  });
  return [el("h2", "", say("No {secret} gives all these answers")), el("p", "", say("Take back an answer that may be wrong. Nearest are:")), el("ul", "why-not", ...lines)];
}

// ---- Is it still the proven order? -----------------------------------------------------------------------------

/** What the order is now, and what is still true; nothing where it is the strategy's own. */
function orderNow(now) {
  if (!free || now.clash || (now.node >= 0 && !now.beside)) return "";
  const sure = byChance && model ? say("the probabilities are as exact as before") : say("what is ruled out is so for certain");
  if (now.names && !data.proven) return say("Not asked in the order of the strategy; {sure}.", { sure });
  if (now.names) return say("Not asked in the proven order; {sure}.", { sure });
  if (now.node >= 0) {
    const least = data.proven && !data.claimed && data.objective === "expected" && !data.parameters.length;
    return least ? say("Back in the proven order: none for what is left costs less on average.") : say("Back in the order of the strategy.");
  }
  if (!data.proven) return say("The order is now chosen step by step, not by the strategy; {sure}.", { sure });
  return say("The order is now chosen step by step, it is not the proven one; {sure}.", { sure });
}

/** Ask something else than what is proposed; -1: what is proposed. */
function choose(g) {
  turn(picks, g);
}
