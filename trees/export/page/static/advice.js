"use strict";

// ---- What to ask next: where the answers lead, by the strategy or, where one was not known, by the table ---------

/** The answers so far, each [guess, response]; the response is -1 where it was not known. */
let picks = [];
const questionMark = data.responses.indexOf("?");
/** The response `?` to a guess where it says only that nobody knows: as it may fail, or as it tells nothing; or -1. */
function noAnswer(g) {
  if (questionMark < 0 || questionMark === model?.silent) return questionMark;
  const row = data.outcomes?.[g];
  return row && new Set(row.map((_, s) => chance(g, s, questionMark))).size === 1 ? questionMark : -1;
}
/** Whether the worst case is what counts: nobody says how often guesses fail to be answered. */
const worstCounts = typeof model?.silent === "number";
/** Whether questions may go without an answer: those of a table, not those of a game. */
const mayPass = Boolean(data.outcomes) && data.answers === "text";

/** The answers that are known. */
const known = () => picks.filter(([, r]) => r >= 0);
const still = () => massesAfter(known().map(([g, r]) => [g, [r]]));
/** The guesses so far. What is not known was paid for, too, opens its group, and lets others be asked. */
const asked = () => picks.map(([g]) => g);
const openNow = () => openedBy(asked());

/** The node that a response to the guess of a node leads to; -1: none, as it wins or was not known. */
function childBy(node, r) {
  for (let child = first[node]; child < first[node + 1]; child++) if (led(child).includes(r)) return child;
  return -1;
}

/** Where the answers lead: the guess to ask and its possible responses, or what is known; and how many are left. */
function standing() {
  const { nodes, beside } = walk();
  const node = nodes.at(-1);
  if (toWin && known().at(-1)?.[1] === data.winning) return { node: nodes.at(-2), names: namesOf(nodes.at(-2)), left: 1, won: true };
  if (free && !still().length) return { clash: true, names: [], left: 0 };
  if (chosen >= 0) return asking(chosen, still());
  if (node < 0 || !goesOn(node, beside)) return outside();
  const more = { node, left: size[node], ...(beside.length ? { beside } : {}) };
  if (isEnd(node)) return ended(namesOf(node), data.decided[node], more);
  const answers = mayWin(node) ? [data.winning] : [];
  for (let child = first[node]; child < first[node + 1]; child++) answers.push(...led(child));
  return { ask: guess[node], answers: answers.sort((a, b) => a - b), ...more };
}

/** What it is to ask a guess that the strategy does not ask here. */
function asking(ask, some) {
  const possible = [...byKind(some).keys()];
  const answers = [...new Set(some.flatMap(([s]) => answersOf(ask, s)))].sort((a, b) => a - b);
  return { ask, answers, possible, left: possible.length };
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
  return asking(ask, some);
}

/** Whether a question of two answers is about the states of its character that are still possible, and no others. */
function aboutPossible(g, more) {
  const [character, within, parts] = model.about[g];
  const told = picks.filter(([asked]) => model.about[asked][0] === character);
  if (told.some(([, r]) => r < 0) || more.some((asked) => model.about[asked][0] === character)) return false;
  const possible = (state) => told.every(([asked, r]) => model.about[asked][2][r].includes(state));
  const met = new Set(still().flatMap(([s]) => model.shown[character][s].filter(possible)));
  if (!model.joined[character]) return met.size === within.length && within.every((state) => met.has(state));
  // It is about all states between two ends, and cuts behind one that is met.
  const ends = within[0] === Math.min(...met) && within.at(-1) === Math.max(...met);
  return ends && met.has(Math.min(...Object.values(parts).map((part) => Math.max(...part))));
}

/** The guesses that may be asked after `more`: not those that were, and only after those that they need. */
function askable(more) {
  const before = new Set([...asked(), ...more]);
  const open = (g) => (model?.after[g] ?? []).every((needed) => before.has(needed));
  return held.filter((g) => !before.has(g) && open(g) && (!model?.about || aboutPossible(g, more)));
}

/** How many more questions there may be. */
function atMost(now) {
  if (now.won || (now.names && !toWin)) return 0; // what is asked beyond that is asked out of interest
  if (now.node >= 0) return worst[now.node];
  const unasked = held.filter((g) => picks.every(([asked]) => asked !== g)).length;
  // Where every response is certain, each question that is worth asking leaves less.
  return model ? unasked : Math.min(unasked, still().length - 1);
}

/** The responses to the guess that is to be asked: how many secrets each leaves and, where it can be said, how likely it is. */
function leaves(now) {
  const parts = new Map();
  if (data.outcomes) {
    const some = still();
    const whole = sum(some.map(([, left]) => left));
    for (const [r, part] of partsOf(some, now.ask)) parts.set(r, [byKind(part).size, sum(part.map(([, left]) => left)) / whole]);
    return parts;
  }
  for (let child = first[now.node]; child < first[now.node + 1]; child++) {
    parts.set(response[child], [size[child], mass[child] / mass[now.node]]);
  }
  if (mayWin(now.node)) parts.set(data.winning, [1, (data.weight ? data.weight[now.node] : 1) / mass[now.node]]);
  return parts;
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

/** The guess of the least cost and loss by what follows, as far ahead as there is time for; or -1 and a decision. */
function worthAsking(some) {
  let best = [Infinity, -1];
  const work = [1];
  for (let deep = 0; deep <= held.length; deep++) {
    let done = 0;
    const least = (some, more, deep) => {
      done += some.length * (data.decisions.length + (deep && 2 * held.length));
      const weigh = (part) => (worstCounts ? 1 : sum(part.map(([, left]) => left)));
      let best = [Infinity, -1];
      data.decisions.forEach((_, d) => {
        const loss = lossOf(d, some) * weigh(some);
        if (loss < best[0]) best = [loss, -1, d];
      });
      if (!deep) return best;
      const opened = openedBy([...asked(), ...more]);
      for (const g of askable(more)) {
        let cost = 0;
        for (const [r, part] of partsOf(some, g)) {
          let own = weigh(part) * (data.prices ? paid(g, r, opened) : 1);
          if (!ends(g, r) && (worstCounts ? own : cost + own) < best[0]) own += least(part, [...more, g], deep - 1)[0];
          cost = worstCounts ? Math.max(cost, own) : cost + own;
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
    const cost = data.prices ? paid(g, r, openedBy(opened)) : 0;
    opened.push(g);
    return cost;
  });
}
