"use strict";

// ---- Data: the strategy's arrays, nodes in breadth-first order -------------------------------------------

const byId = (id) => document.getElementById(id);
const source = byId("data").textContent;
const data = JSON.parse(source);
const N = data.guess.length;
const guess = Int32Array.from(data.guess);
const parent = Int32Array.from(data.parent);
const response = Int32Array.from(data.response);
const secret = Int32Array.from(data.secret);
const toWin = data.goal === "win";

/** A number as it is written in the language of the page. */
const numberText = (text) => text.replace(/[.,]/g, (sign) => data.marks[sign]);
const number = (n) => numberText(n.toLocaleString("en"));
/** A text with values for its names in braces: those given, or what secrets and guesses are called in this game. */
const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => {
    if (name in values) return values[name];
    const own = data.nouns[name.toLowerCase()];
    return name[0] < "a" ? own[0].toUpperCase() + own.slice(1) : own;
  });
/** A text of the catalogue in the language of the page. */
const say = (text, values = {}) => filled(data.words[text] ?? text, values);
/** Which form of a noun goes with a number. */
const formFor = (n) => Number(data.plural[n < 100 ? n : 100 + (n % 100)]);
/** A text of the catalogue for a number of things, which it calls {n}. */
const says = (one, more, n, values = {}) => filled((data.words[one] ?? [one, more])[formFor(n)], { n: number(n), ...values });
const secrets = (n) => `${number(n)} ${data.forms.secret[formFor(n)]}`;
const guesses = (n) => `${number(n)} ${data.forms.guess[formFor(n)]}`;

/** The secrets that a node names, or wins with. */
const namesOf = (n) => (secret[n] < 0 ? [] : [secret[n], ...(data.beside[n] ?? [])]);

/**
 * Children of n are first[n] .. first[n + 1]; size is how many secrets may be below n, mass what they weigh, worst and
 * total the guesses that they need. A secret may end at several nodes.
 */
const { first, depth, size, mass, worst, total, nodesOf } = measure();

function measure() {
  const first = new Int32Array(N + 1).fill(N);
  const depth = new Int32Array(N);
  const size = Int32Array.from(data.left ?? new Array(N).fill(0));
  const mass = new Float64Array(N);
  const worst = new Int32Array(N);
  const total = new Float64Array(N);
  const nodesOf = data.secrets.map(() => []);
  for (let n = 0, child = 1; n < N; n++) {
    first[n] = child;
    while (child < N && parent[child] === n) child++;
    if (n) depth[n] = depth[parent[n]] + 1;
    for (const s of namesOf(n)) nodesOf[s].push(n);
  }
  // Children come after their parent, so backwards every node is complete when it is reached.
  for (let n = N - 1; n >= 0; n--) {
    if (secret[n] >= 0) {
      if (!data.left) size[n]++;
      mass[n] += data.weight ? data.weight[n] : 1;
    }
    if (guess[n] >= 0) {
      worst[n]++;
      total[n] += mass[n];
    }
    const above = parent[n];
    if (above < 0) continue;
    if (!data.left) size[above] += size[n];
    mass[above] += mass[n];
    total[above] += total[n];
    worst[above] = Math.max(worst[above], worst[n]);
  }
  return { first, depth, size, mass, worst, total, nodesOf };
}

const hasChildren = (n) => first[n] < first[n + 1];
const isEnd = (n) => !hasChildren(n);
const mayWin = (n) => toWin && secret[n] >= 0;
const guessesFor = (n) => depth[n] + (toWin ? 1 : 0);
const average = (n) => total[n] / mass[n];
/** The same in words; nobody says how often a guess fails to be answered. */
const averageText = (n, places) => (mass[n] ? numberText(average(n).toFixed(places)) : "–");
const guessLabel = (g) => (data.guesses ? data.guesses[g] : data.secrets[g]);
const decides = (n) => n in data.decided;
/** Whether a response ends the path. */
const ends = (g, r) => data.model?.ends[g]?.includes(r) ?? false;
const isDone = (n) => n > 0 && ends(guess[parent[n]], response[n]);
const nameOf = (n) => {
  if (guess[n] >= 0) return guessLabel(guess[n]);
  if (isDone(n)) return say("done");
  return decides(n) ? data.decisions[data.decided[n]] : namesOf(n).map((s) => data.secrets[s]).join(say(" or "));
};
/** The responses that lead to a node. */
const led = (n) => [response[n], ...(data.also[n] ?? [])];

/** The secrets below a node, in order. Descendants of one level are neighbours in the arrays. */
function secretsBelow(node) {
  const found = [];
  for (let from = node, to = node + 1; from < to; [from, to] = [first[from], first[to]]) {
    for (let n = from; n < to; n++) found.push(...namesOf(n));
  }
  return [...new Set(found)].sort((a, b) => a - b);
}

function pathTo(node) {
  const nodes = [];
  for (let n = node; n >= 0; n = parent[n]) nodes.push(n);
  return nodes.reverse();
}

// ---- What is possible, and how likely ------------------------------------------------------------------------

const { model } = data;
/** How likely a secret gets a response to a guess: 1 or 0 where it gets one; any guess may fail to be answered. */
function chance(g, s, r) {
  if (r === model?.silent) return 1;
  const cell = data.outcomes[g][s];
  return typeof cell === "number" ? Number(cell === r) : cell[r] ?? 0;
}
const answersOf = (g, s) => (typeof data.outcomes[g][s] === "number" ? [data.outcomes[g][s]] : Object.keys(data.outcomes[g][s]).map(Number));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const kindOf = (s) => (data.kinds ? data.kinds[s] : s);

/** The secrets that are possible after guesses and what they were answered, with how much of their weight is left. */
function massesAfter(given) {
  const all = Object.values(data.outcomes)[0].map((_, s) => [s, data.weights ? data.weights[s] : 1]);
  const likelihood = (s, [g, rs]) => sum(rs.map((r) => chance(g, s, r)));
  return all.map(([s, weight]) => [s, given.reduce((left, one) => left * likelihood(s, one), weight)]).filter(([, left]) => left > 0);
}

/** What is left of each thing that is to be known. */
function byKind(some) {
  const masses = new Map();
  for (const [s, left] of some) masses.set(kindOf(s), (masses.get(kindOf(s)) ?? 0) + left);
  return masses;
}

/** What is possible with how likely it is, the likeliest first. */
function ranked(some) {
  const masses = [...byKind(some)];
  const whole = sum(masses.map(([, left]) => left));
  return masses.map(([s, left]) => [s, left / whole]).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

const massesAt = (n) => massesAfter(pathTo(n).slice(1).map((m) => [guess[parent[m]], led(m)]));

/** A probability in percent, with tenths if these are all of it; what is not certain is never 100 %, nor 0 %. */
function percent(part) {
  if (part > 0 && part < 0.001) return numberText("< 0.1 %");
  if (part >= 0.995 && part < 1) return "> 99 %";
  const fine = part < 0.1 || Math.abs(1000 * part - Math.round(1000 * part)) < 1e-6;
  return numberText(`${Number((100 * part + 1e-9).toFixed(fine ? 1 : 0))} %`);
}

/** What a decision loses where these are possible, on average or at most; infinite where it is not allowed. */
function lossOf(d, some) {
  if (worstCounts) return Math.max(...some.map(([s]) => data.losses[d][s] ?? Infinity));
  return sum(some.map(([s, left]) => left * (data.losses[d][s] ?? Infinity))) / sum(some.map(([, left]) => left));
}

// ---- What it costs -------------------------------------------------------------------------------------------

const groupOf = (g) => model?.groups[g];
/** The groups that guesses have opened. */
const openedBy = (guesses) => new Set(guesses.map(groupOf).filter((group) => group !== undefined));
/** The guesses above a node. */
const askedAbove = (n) => pathTo(n).slice(0, -1).map((m) => guess[m]);

function paid(g, r, opened = new Set()) {
  if (opened.has(groupOf(g))) return model.later[g];
  const price = data.prices[g];
  return typeof price === "number" ? price : price[r] ?? Math.min(...price);
}

const inUnits = (value) => `${Number(((value * data.unit[0]) / data.unit[1]).toPrecision(12))}`;

function costText(value) {
  const text = inUnits(value);
  return text === "1" ? data.paid[0] : data.paid[1].replace("%", () => numberText(text));
}

/** An amount that is not a price, rounded. */
const roundText = (value) => data.amount.replace("%", () => numberText(inUnits(Number(value.toPrecision(3)))));

/** What a decision loses where these are possible, in words; it is its price where it is the same whatever is true. */
function lossText(d, some) {
  const loss = lossOf(d, some);
  if (!(loss > 0)) return "";
  const price = data.losses[d].every((one) => one === data.losses[d][0]);
  if (price) return costText(data.losses[d][0]);
  return worstCounts ? say("Loss at most: {loss}", { loss: roundText(loss) }) : say("Expected loss: {loss}", { loss: roundText(loss) });
}

/** What a guess costs where groups are open, in words; nothing where costs only count. */
function priceOf(g, opened) {
  if (!data.priced) return "";
  if (groupOf(g) !== undefined) {
    const more = opened.has(groupOf(g)) ? 0 : data.prices[g] - model.later[g];
    if (more <= 0) return costText(model.later[g] + more);
    return say("{price} + {more} set-up", { price: costText(model.later[g]), more: numberText(inUnits(more)) });
  }
  const prices = [...new Set(typeof data.prices[g] === "number" ? [data.prices[g]] : data.prices[g])];
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  if (least === most) return costText(least);
  const range = say("{least} to {most}", { least: numberText(inUnits(least)), most: numberText(inUnits(most)) });
  return data.paid[1].replace("%", () => range);
}

const priceAt = (n) => (guess[n] < 0 ? "" : priceOf(guess[n], openedBy(askedAbove(n))));
