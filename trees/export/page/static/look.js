"use strict";

// ---- Making elements: labels become text nodes only ----------------------------------------------------------

function el(tag, name, ...inside) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...inside);
  return made;
}

function button(name, act, ...inside) {
  const made = el("button", name, ...inside);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** A label on one line, never invisible. */
function oneLine(label) {
  const line = label.replace(/\r\n|[\r\n\u2028\u2029]/g, "↵").replace(/\t/g, " ");
  return line.trim() ? line : "␣".repeat(Math.max(1, line.length));
}

const asText = data.codes === "text";
/** The class for what surrounds a label. */
const around = asText ? " text-label" : "";

/** A guess or secret: pegs, tiles or text. */
function code(label, size = "") {
  if (asText) {
    const made = el("span", `text ${size}`, oneLine(label));
    made.title = label;
    // the letters of its longest word, which is not to be broken
    made.style.setProperty("--longest", Math.max(1, ...label.split(/\s+/).map((word) => word.length)));
    return made;
  }
  const made = el("span", `code ${size}`);
  for (const symbol of label) {
    const peg = el("span", "peg", symbol);
    [peg.style.background, peg.style.color] = data.palette[symbol] ?? ["transparent", "inherit"];
    made.append(peg);
  }
  return made;
}

/** What the marks of a response say of the symbols of the guess; their tiles differ in colour and in shape. */
const MARKS = { "=": say("in place"), "+": say("elsewhere"), "-": say("absent") };
const SHAPES = { "=": "square", "+": "round", "-": "flat" };

/** The marks of the symbols of a guess, if they are all that a response tells; else nothing. */
function marksOf(g, r) {
  const label = data.answers === "marks" && g >= 0 ? data.responses[r] : "";
  return label.length === [...guessLabel(g)].length && [...label].every((mark) => mark in MARKS) ? label : "";
}

/** Show a symbol as marked. */
function mark(tile, sign) {
  tile.classList.remove(...Object.values(SHAPES));
  tile.classList.add(SHAPES[sign]);
  [tile.style.background, tile.style.color] = data.palette[sign];
}

/** The symbols of a guess on tiles as they are marked. */
function marked(symbols, marks, size = "") {
  const made = el("span", `code ${size}`);
  [...symbols].forEach((symbol, i) => {
    const tile = el("span", "peg", symbol);
    mark(tile, marks[i]);
    made.append(tile);
  });
  return made;
}

/** Whether a response is a text, and not one count or two. */
const isText = (r) => !["keys", "bulls"].includes(data.answers) || !/^\d+(,\d+)?$/.test(data.responses[r]);

/** Whether a response says where a guess is in the secret, or that it is nowhere. */
const isPlaces = (r) => data.answers === "places" && /^[-\d |]+$/.test(data.responses[r]);
const isMiss = (r) => data.answers === "places" && data.responses[r] === data.miss;

/** A response to a guess in words, for those who do not see it; `to` is the node that it leads to, if any. */
function inWords(g, r, to = -1) {
  const label = data.responses[r];
  const marks = marksOf(g, r);
  if (marks) return [...guessLabel(g)].map((symbol, i) => `${symbol} ${MARKS[marks[i]]}`).join(", ");
  if (isMiss(r) && g >= 0) return say("no {letter}", { letter: oneLine(guessLabel(g)) });
  if (isPlaces(r) && data.patterns[to]) return data.patterns[to].replaceAll("_", say("blank"));
  if (isText(r)) return oneLine(label);
  const [hits, near] = label.split(",");
  const cows = near === undefined ? [] : [says("{n} cow", "{n} cows", +near)];
  if (data.answers === "bulls") return [says("{n} bull", "{n} bulls", +hits), ...cows].join(", ");
  return near === undefined ? say("{black} black", { black: hits }) : say("{black} black, {white} white", { black: hits, white: near });
}

/** The responses that lead to a node, and the same in words. */
const answers = (n) => led(n).flatMap((r, i) => [...(i ? [say(" or ")] : []), answer(guess[parent[n]], r, n)]);
const answersInWords = (n) => led(n).map((r) => inWords(guess[parent[n]], r, n)).join(say(" or "));
/** Whether a response is shown with its guess: as its tiles, or as a pattern or a miss of it. */
const showsGuess = (g, r, to) => Boolean(marksOf(g, r)) || isMiss(r) || (isPlaces(r) && Boolean(data.patterns[to]));
/** A guess and the responses that lead to a node. */
const turnTo = (n) => (showsGuess(guess[parent[n]], response[n], n) ? answers(n) : [code(nameOf(parent[n]), "small"), ...answers(n)]);

const MOST_KEYS = 8;
/** Key pegs side by side where they are in two rows. */
const across = (pegs) => Math.max(Math.min(pegs, 2), Math.ceil(pegs / 2), 1);

/** What is not read as it is written: an image with its words. */
function picture(made, words) {
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", words);
  made.title = words;
  return made;
}

/** A pattern with what the last guess has shown in bold. */
function pattern(text, symbol = "") {
  const signs = [...text].map((sign) => (sign === symbol ? el("b", "", sign) : sign));
  return picture(el("span", "answer pattern", ...signs), text.replaceAll("_", say("blank")));
}

/** A response to a guess; `to` is the node that it leads to, if any. */
function answer(g, r, to = -1) {
  const words = inWords(g, r, to);
  const marks = marksOf(g, r);
  if (marks) return picture(el("span", "answer", marked(guessLabel(g), marks, "small")), words);
  if (isPlaces(r) && data.patterns[to]) return pattern(data.patterns[to], guessLabel(g));
  if (isMiss(r)) return el("span", "answer words", words);
  if (isText(r)) {
    const made = el("span", "answer words", oneLine(data.responses[r]));
    made.title = data.responses[r];
    return made;
  }
  const [hits, near = 0] = data.responses[r].split(",").map(Number);
  const made = el("span", data.answers === "bulls" ? "answer" : hits + near ? "answer keys" : "answer keys zero");
  made.style.setProperty("--across", across(hits + near));
  picture(made, words);
  if (data.answers === "bulls") made.append(`${hits}B ${near}C`);
  else if (!hits && !near) made.append("–");
  else if (hits + near > MOST_KEYS) made.append(el("i", "key black"), `${hits} `, el("i", "key white"), `${near}`);
  else made.append(...Array.from({ length: hits + near }, (_, i) => el("i", i < hits ? "key black" : "key white")));
  return made;
}

/** Room for the widest response that occurs, on a wide and on a narrow screen. */
function answerWidths() {
  const used = [...new Set(response)].filter((r) => r >= 0);
  const longest = Math.max(1, ...used.map((r) => data.responses[r].length));
  const tiled = guess.findIndex((g, n) => n > 0 && marksOf(guess[parent[n]], response[n]));
  if (tiled > 0) return [`${data.responses[response[tiled]].length * 19 + 4}px`, "auto"];
  if (data.patterns) return [`${Math.max(6, ...data.patterns.map((text) => text.length)) * 8 + 8}px`, "auto"];
  if (data.answers === "text" || used.some(isText)) {
    return [`clamp(40px, ${longest * 9 + 10}px, min(220px, 20vw))`, "auto"];
  }
  if (data.answers === "bulls") return ["56px", "54px"];
  const pegs = Math.max(1, ...used.map((r) => data.responses[r].split(",").reduce((sum, n) => sum + Number(n), 0)));
  const most = Math.min(pegs, MOST_KEYS);
  return [`${Math.max(18, most * 13.5) + 10}px`, `${across(most) * 12.5 + 8}px`];
}
