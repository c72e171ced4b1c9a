"use strict";
/* A strategy beside a certificate: it is replayed with every secret, and what it takes is compared with the bound. */

/** Why a strategy is none, or is not replayed, in words. */
class Fault extends Error {}

const ELSEWHERE = "`guesstree verify CERTIFICATE --strategy STRATEGY` does it";

/** A strategy file, read: a tree of nodes from nodes[0] on, so that all paths end; throws Fault. */
function readStrategy(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Fault("it is no JSON");
  }
  if (found?.format !== "guesstree/1" || !Array.isArray(found.nodes) || !found.nodes.length || typeof found.game !== "string") {
    throw new Fault("it is no strategy file, guesstree/1");
  }
  const due = new Set(found.nodes.keys()); // nodes that no branch leads to yet
  due.delete(0);
  for (const node of found.nodes) {
    if (node === null || typeof node !== "object") throw new Fault("a node of it is none");
    for (const at of Object.values(node.children ?? {})) {
      if (!due.delete(at)) throw new Fault(`it is no tree: two branches lead to node ${at}, or there is no such node`);
    }
  }
  return found;
}

/** Which kinds are not replayed here: why, or "". */
function notReplayed(claim) {
  if (claim.lies) return `Strategies with lies are not replayed here; ${ELSEWHERE}.`;
  if (claim.kind === "noisy") return `Strategies for tests with several answers are not replayed here; ${ELSEWHERE}.`;
  if (claim.lost) return `Strategies within a budget are not replayed here; ${ELSEWHERE}.`;
  return "";
}

/** Whether a file says a figure. */
const given = figure => figure !== undefined && figure !== null;

/** How often each number of guesses is taken, in the order of these numbers, as text. */
const written = counts => Object.entries(counts).sort(([a], [b]) => a - b).map(([n, count]) => `${n}:${count}`).join(" ");

/** Whether the first figure that differs is larger. */
const above = (figures, value) => {
  const at = figures.findIndex((figure, i) => figure !== value[i]);
  return at >= 0 && figures[at] > value[at];
};

/** What every secret takes: the total and the worst, exactly; throws Fault where one is not found. */
function replay(game, strategy, claim) {
  const names = [...game.secrets.keys()], guessNames = [...game.guesses.keys()], reached = new Map();
  const lengths = [];
  let total = 0n, worst = 0n, asked = 0, longest = 0;
  const label = at => strategy.nodes[at]?.guess;
  for (let s = 0; s < names.length; s++) {
    const path = [];
    for (let at = 0, paid = 0n; ; ) {
      const node = strategy.nodes[at], where = () => `${names[s]}: ${path.map(([g, r]) => `${guessNames[g]} → ${r ?? "won"}`).join(", ")}`;
      if (!reached.has(at)) reached.set(at, new Set());
      reached.get(at).add(s);
      let ended = false;
      if (node.guess === undefined) {
        if (claim.goal === "win" || node.secret !== names[s]) throw new Fault(`${where()}: ends with ${node.secret}`);
        ended = true;
      } else {
        const g = game.guesses.get(String(node.guess));
        if (g === undefined) throw new Fault(`${node.guess} is no guess of the game of the certificate`);
        const response = game.answer(g, s);
        path.push([g, response]);
        if (!game.asked(path)) throw new Fault(`${where()}: ${guessNames[g]} may not be asked there`);
        paid += game.price(g, s);
        ended = response === null;
        if (!ended) {
          if (!Object.hasOwn(node.children ?? {}, response)) throw new Fault(`${where()}: nothing follows`);
          at = node.children[response];
        }
      }
      if (!ended) continue;
      total += paid * game.weight(s), asked += path.length, longest = Math.max(longest, path.length);
      lengths[path.length] = (lengths[path.length] ?? 0) + 1;
      if (paid > worst) worst = paid;
      break;
    }
  }
  for (const [at, found] of claim.candidatesOnly ? reached : []) {
    const g = game.guesses.get(String(label(at)));
    if (g !== undefined && !found.has(game.own(g))) throw new Fault(`it asks ${label(at)}, which cannot be the secret there`);
  }
  const said = strategy.summary ?? {}, limits = strategy.parameters ?? {}, { lower, upper } = strategy.bounds ?? {};
  const value = claim.kind === "priced" ? undefined
    : { expected: [asked], worst: [longest], "worst,expected": [longest, asked], "expected,worst": [asked, longest] }[strategy.objective];
  const figures = [["secrets", said.secrets, names.length], ["total", said.total, asked], ["worst", said.worst, longest],
    ["histogram", said.histogram ? written(said.histogram) : undefined, written({ ...lengths })],
    ["upper bound", value && given(upper) ? String(upper) : undefined, String(value)], ["first", limits.first, label(0)]];
  for (const [name, claimed, due] of claim.kind === "priced" ? figures.slice(-1) : figures) {
    if (claimed !== undefined && claimed !== due) throw new Fault(`the file says ${name} ${claimed}, and it is ${due}`);
  }
  if (value && given(lower) && above([lower].flat(), value)) throw new Fault(`the file says lower bound ${lower}, and it takes ${value}`);
  if (limits.max_depth < longest) throw new Fault(`the file says max_depth ${limits.max_depth}, and it takes ${longest}`);
  return { total, worst };
}

/** What a certificate that is proved and a strategy prove together, as `guesstree verify` says it: [what, text]. */
function provedWith(claim, line, name, text, files) {
  const subject = subjectOf(claim), alone = aloneOf(claim, line);
  const without = ["bound", `${subject}: ${alone}`], not = notReplayed(claim);
  if (text === null) return [...without, ""];
  if (not) return [...without, not];
  try {
    const strategy = readStrategy(text);
    if (strategy.lies) throw new Fault(`it is for ${liesText(strategy.lies)}, and the certificate for none`);
    if (strategy.goal !== claim.goal) throw new Fault(`its goal is ${strategy.goal}, and that of the certificate ${claim.goal}`);
    const game = gameOf(claim, strategy, files), { total, worst } = replay(game, strategy, claim);
    const root = game.guesses.get(String(strategy.nodes[0].guess)), first = root === undefined ? "nothing" : game.named(root);
    if (claim.first !== "-" && claim.first !== first) {
      throw new Fault(`it begins with ${first}, and the certificate is about strategies that begin with ${claim.first}`);
    }
    const [what, said] = compared(claim, alone, total, worst);
    return [what, `${subject}: ${said}`, ""];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [...without, `The strategy ${name} is not counted: ${error.message}.`];
  }
}
