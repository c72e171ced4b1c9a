"use strict";
/* The rules of games, once more: what a strategy is replayed by. They share nothing with the checkers in C.
 *
 * A game has `secrets` and `guesses` (names, as the strategy has them), and says:
 *   answer(g, s)  the response, as the strategy has it; null: it wins
 *   own(g)        which secret a guess is, or -1
 *   named(g)      the guess as a certificate names it
 *   price(g, s)   what the guess costs for the secret;  weight(s): how much the secret counts
 *   asked(path)   whether the last guess of [[guess, answer], ...] may be asked after the others */

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"; // of codes in certificates
const SYMBOLS = { // of codes in strategies, see engine/notation.py
  mastermind: "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", blackpeg: "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  bulls: "0123456789ABCDEFGHIJ",
};

/** Symbols in place, and others that both have. */
function pegs(guess, secret) {
  const left = new Map();
  let black = 0, white = 0;
  for (let i = 0; i < guess.length; i++) {
    if (guess[i] === secret[i]) black++;
    else left.set(secret[i], (left.get(secret[i]) ?? 0) + 1);
  }
  for (let i = 0; i < guess.length; i++) {
    if (guess[i] === secret[i] || !left.get(guess[i])) continue;
    left.set(guess[i], left.get(guess[i]) - 1);
    white++;
  }
  return [black, white];
}

/** Wordle's marks: = in place, + elsewhere, - not in the word, or not once more. */
function marks(guess, secret) {
  const found = Array(guess.length).fill("-"), left = [];
  for (let i = 0; i < guess.length; i++) {
    if (guess[i] === secret[i]) found[i] = "=";
    else left.push(secret[i]);
  }
  for (let i = 0; i < guess.length; i++) {
    const at = found[i] === "-" ? left.indexOf(guess[i]) : -1;
    if (at >= 0) found[i] = "+", left.splice(at, 1);
  }
  return found.join("");
}

/** Whether hard mode lets a word be asked after a guess with these marks: it has to use what was marked. */
function usesMarks(word, guess, marked) {
  const due = new Map(), has = new Map();
  for (let i = 0; i < word.length; i++) {
    if (marked[i] === "=" && word[i] !== guess[i]) return false;
    if (marked[i] !== "-") due.set(guess[i], (due.get(guess[i]) ?? 0) + 1);
    has.set(word[i], (has.get(word[i]) ?? 0) + 1);
  }
  return [...due].every(([letter, many]) => (has.get(letter) ?? 0) >= many);
}

function codeGame(claim, strategy) {
  const spec = `${claim.kind}:${claim.a}x${claim.b}`, size = Number(claim.a), many = Number(claim.b);
  if (strategy.game !== spec) throw new Fault(`it is of ${strategy.game}, and the certificate of ${spec}`);
  const symbols = SYMBOLS[claim.kind].slice(0, many);
  if (symbols.length < many) throw new Fault(`strategies with ${many} symbols are not known here`);
  let codes = [""];
  for (let i = 0; i < size; i++) {
    codes = codes.flatMap(code =>
      [...symbols].filter(one => claim.kind !== "bulls" || !code.includes(one)).map(one => code + one));
  }
  const at = new Map(codes.map((code, i) => [code, i]));
  return {
    secrets: at, guesses: at, own: g => g,
    named: g => [...codes[g]].map(one => DIGITS[symbols.indexOf(one)]).join(""),
    answer(g, s) {
      if (g === s && claim.goal === "win") return null;
      const [black, white] = pegs(codes[g], codes[s]);
      return claim.kind === "blackpeg" ? `${black}` : `${black},${white}`;
    },
  };
}

/** A file that a certificate names, as text; throws Fault where bytes that differ would be the same letters. */
function textOf(files, name) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(files.get(name));
  } catch {
    throw new Fault(`${cut(name)} is no text in UTF-8`);
  }
}

function wordGame(claim, strategy, files) {
  if (!/^wordle\b/.test(strategy.game)) throw new Fault(`it is of ${strategy.game}, and the certificate of ${claim.kind}`);
  const words = name => textOf(files, name).trim().split("\n");
  const secrets = words(claim.a), guesses = [...new Set([...words(claim.b), ...secrets])];
  const own = new Map(secrets.map((word, i) => [word, i])), mode = claim.kind.split("-")[1];
  return {
    secrets: own, guesses: new Map(guesses.map((word, i) => [word, i])),
    own: g => own.get(guesses[g]) ?? -1,
    named: g => guesses[g],
    answer: (g, s) => (claim.goal === "win" && guesses[g] === secrets[s] ? null : marks(guesses[g], secrets[s])),
    asked(path) {
      const [last] = path.at(-1), word = guesses[last];
      return !mode || path.slice(0, -1).every(([g, response]) =>
        (mode === "hard" ? usesMarks(word, guesses[g], response) : marks(guesses[g], word) === response));
    },
  };
}

/** The cells of a CSV file that a checker has accepted: a row ends with its line. */
function readCells(file) {
  const text = file.replace(/\n$/, ""), rows = [[]];
  for (let at = 0; at <= text.length; at++) { // `at` is behind what parts two cells
    const quoted = text[at] === '"';
    let end = at + quoted;
    if (quoted) while (text[end] !== '"' || text[++end] === '"') end++;
    else while (end < text.length && text[end] !== "," && text[end] !== "\n") end++;
    rows.at(-1).push(quoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
    if (text[end] === "\n") rows.push([]);
    at = end;
  }
  return rows;
}

/** Names by their places; the strategy's own, where it has as many and the table has them otherwise. */
function placesOf(names, own) {
  const found = own?.length === names.length ? own : names, places = new Map(found.map((name, i) => [String(name), i]));
  if (places.size < found.length) throw new Fault("two labels of its table are the same");
  return places;
}

/** What a table may have of which certificates of plain tables, or of those with costs, know nothing. */
const NOISY = ["after", "groups", "later", "decisions", "losses", "ends", "lapses"];

function tableGame(claim, strategy, files) {
  for (const what of claim.kind === "priced" ? NOISY : [...NOISY, "weights", "costs"]) {
    if ([strategy.table?.[what] ?? []].flat().some(one => one !== 1)) throw new Fault(`its table has ${what}, that of the certificate has none`);
  }
  const [[, ...labels], ...rows] = readCells(textOf(files, claim.b)), priced = claim.kind === "priced";
  const head = ["", ...labels]; // whatever stands in the corner: it names nothing
  const isCost = name => priced && (name === "cost" || name.startsWith("cost:"));
  const heavy = priced ? rows.find(row => row[0] === "weight") : undefined, tests = rows.filter(row => row !== heavy);
  const columns = head.map((_, k) => k).slice(1).filter(k => !isCost(head[k]));
  const usual = head.indexOf("cost"), own = strategy.table ?? {};
  const other = new Map(head.flatMap((name, k) => (priced && name.startsWith("cost:") ? [[name.slice(5), k]] : [])));
  const secrets = placesOf(columns.map(k => head[k]), own.secrets), guesses = placesOf(tests.map(row => row[0]), own.guesses);
  const wins = claim.goal === "win", cell = (g, s) => tests[g][columns[s]];
  const byLabel = new Map(columns.map((k, s) => [head[k], s]));
  const same = tests.map(row => (wins ? columns.findIndex(k => row[k] === "win") : byLabel.get(row[0]) ?? -1));
  for (const [g, row] of (own.responses ?? []).entries()) { // what is in the strategy is the same table
    for (const [s, response] of row.entries()) {
      const said = wins && response === own.win ? "win" : response;
      if (tests.length !== own.guesses?.length || columns.length !== own.secrets?.length || cell(g, s) !== String(said)) {
        throw new Fault(`its table is another than that of the certificate (test ${g + 1}, cause ${s + 1})`);
      }
    }
  }
  return {
    secrets, guesses, own: g => same[g], named: g => String(g + 1),
    answer: (g, s) => (wins && cell(g, s) === "win" ? null : cell(g, s)),
    weight: s => BigInt(heavy ? heavy[columns[s]] : 1),
    price(g, s) {
      const special = other.has(cell(g, s)) ? tests[g][other.get(cell(g, s))] : "";
      return BigInt(special || (usual > 0 ? tests[g][usual] : 1));
    },
  };
}

/** The game of a certificate with the names that a strategy has; throws Fault for one that is not known here. */
function gameOf(claim, strategy, files) {
  const usual = { weight: () => 1n, price: () => 1n, asked: () => true };
  if (claim.kind in SYMBOLS) return { ...usual, ...codeGame(claim, strategy) };
  if (claim.kind.startsWith("wordle")) return { ...usual, ...wordGame(claim, strategy, files) };
  return { ...usual, ...tableGame(claim, strategy, files) };
}
