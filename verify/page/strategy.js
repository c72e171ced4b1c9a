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

/** What every secret takes: the total and the worst, exactly; throws Fault where one is not found. */
function replay(game, strategy, claim) {
  const names = [...game.secrets.keys()], guessNames = [...game.guesses.keys()], reached = new Map();
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
      if (paid > worst) worst = paid;
      break;
    }
  }
  for (const [at, found] of claim.candidatesOnly ? reached : []) {
    const g = game.guesses.get(String(label(at)));
    if (g !== undefined && !found.has(game.own(g))) throw new Fault(`it asks ${label(at)}, which cannot be the secret there`);
  }
  const said = strategy.summary ?? {}, plain = claim.kind !== "priced";
  for (const [name, value, due] of [["secrets", said.secrets, names.length], ["total", said.total, asked], ["worst", said.worst, longest]]) {
    if (plain && value !== undefined && value !== due) throw new Fault(`the file says ${name} ${value}, and it is ${due}`);
  }
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
