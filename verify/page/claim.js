"use strict";
/* What a certificate says in its first line, and which files it names. */

const KINDS = { // the programs that check certificates, by the second word; see verify/README.md
  __proto__: null, // no word but these is one
  mastermind: "verify", blackpeg: "verify", bulls: "verify", wordle: "verify", "wordle-hard": "verify",
  "wordle-ultra": "verify", table: "verify", priced: "priced", lies: "lies", noisy: "noisy", strategy: "strategy",
};
const BEFORE = { __proto__: null, lies: 2, kit: 2, strategy: 1 }; // words before those of a game
const HEAD = 1 << 16; // bytes of a file by which it is recognised
const MOST_SHOWN = 12; // letters of a word in a sentence

/** The first line, read; null where it is none, or not all of it stands among the first bytes. Numbers are exact. */
function readClaim(bytes) {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD));
  const [format, ...words] = text.trim().split(/\s+/, 11); // the last of them may be cut, and says nothing
  if (format !== "guesstree-proof/1" || (words.length < 10 && bytes.length >= HEAD)) return null;
  const family = words[0] ?? "", before = BEFORE[family] ?? 0;
  const lies = before === 2 ? Number(words[1]) : 0;
  const [kind = "", a = "", b = "", goal = "", first = "", within = "", bound = ""] = words.slice(before);
  const naming = kind.startsWith("wordle") ? [a, b] : ["table", "priced", "noisy"].includes(kind) ? [b] : [];
  const number = word => (/^[0-9]+$/.test(word) ? BigInt(word) : null);
  return {
    family, lies, kind, a, b, first, program: KINDS[family] ?? null,
    goal: goal.split("-")[0],
    candidatesOnly: goal.endsWith("-candidates"),
    within: number(within),
    bound: number(bound), // null: no strategy keeps the limit, or what is lost
    lost: bound.startsWith("lost:") ? bound.slice(5).split(":").map(number) : null,
    files: [...new Set(naming)].filter(name => name && !name.includes("/")),
  };
}

const cut = word => (word.length <= MOST_SHOWN ? word : `${word.slice(0, MOST_SHOWN)}...`);
const liesText = lies => (lies === 1 ? "1 lie" : `${lies} lies`);
const lostText = ([weight, ...paid]) =>
  `a weight of ${weight} lost` + (paid.length ? `, ${paid[0]} paid by the others` : "");

/** What a certificate is about, and which strategies, in the words of `guesstree verify`. */
const subjectOf = claim =>
  [claim.kind, claim.a, ...(claim.kind === "table" || claim.kind === "priced" || claim.kind === "noisy" ? [] : [claim.b])]
    .map(cut).join(" ") + `, ${claim.goal}` + (claim.lies ? `, ${liesText(claim.lies)}` : "");
const thoseOf = claim =>
  (claim.first === "-" ? "" : ` after ${claim.first}`) + (claim.candidatesOnly ? " asking candidates only" : "");
const limitOf = claim => {
  const unit = claim.kind === "priced" || claim.kind === "noisy" ? "" : " guesses";
  return (claim.within === null ? "" : ` within ${claim.within}${unit}`) + thoseOf(claim);
};

/** What a certificate says without a strategy; line: what the checker said. */
function aloneOf(claim, line) {
  if (claim.lost) return `at least ${lostText(claim.lost)}${limitOf(claim)}`;
  if (claim.bound === null) return `no strategy settles all secrets${limitOf(claim)}`;
  const [, unit] = line.match(/costs at least \d+ \/ (\d+)/) ?? [];
  return `at least ${claim.bound}${unit ? ` / ${unit}` : ""} in total${limitOf(claim)}`;
}

/** A percentage as `guesstree verify` writes it: of two that are as near, the even one. */
const percent = x => (x % 0.125 === 0.0625 && Math.floor(1000 * x) % 2 === 0 ? x - 1e-4 : x).toFixed(3);
const apart = (lower, upper) =>
  (lower === 0n && upper > 0n ? "however far"
    : `gap ${percent(100 * (Number(upper - lower) / Number(lower > 1n ? lower : 1n)))}%`);

/** What a bound and what a strategy takes say together. */
function compared(claim, alone, total, worst) {
  const { bound, within } = claim;
  if (within === null || worst <= within) {
    if (bound === null || total < bound) {
      const takes = bound === null ? `up to ${worst}` : `${total} within ${worst}`;
      return ["contradiction", `${alone}, but the strategy takes ${takes}: one is wrong`];
    }
    if (total === bound) return ["optimum", `the least total${limitOf(claim)} is ${total}`];
    return ["gap", `the least total${limitOf(claim)} is ${bound} to ${total}, ${apart(bound, total)}`];
  }
  const least = within + 1n;
  if (bound !== null && total >= bound) return ["bound", `${alone}; the strategy takes up to ${worst}`];
  const below = bound === null ? "" : ` with a total below ${bound}`, of = `worst case${thoseOf(claim)}${below}`;
  if (worst === least) return ["optimum", `the least ${of} is ${worst}`];
  return ["gap", `the least ${of} is ${least} to ${worst}, ${apart(least, worst)}`];
}

/** What a strategy in the format of certificates has to share with a certificate; null where it cannot prove more. */
const sharedOf = ({ program, kind, a, b, goal, candidatesOnly, first }) =>
  (program === "verify" || program === "strategy" ? [kind, a, b, goal, candidatesOnly, first].join(" ") : null);
