"use strict";

// ---- Search --------------------------------------------------------------------------------------------------

const query = byId("query");
const found = byId("found");
const MOST_HINTS = 6;
const secretNames = new Map(data.secrets.map((label, s) => [label, s]));

/** The secret that a text names, or -1; capitals and outer spaces do not matter when nothing fits exactly. */
function lookUp(text) {
  const exact = secretNames.get(text) ?? secretNames.get(text.trim());
  if (exact !== undefined) return exact;
  const folded = asText ? text.trim().toLowerCase() : text.replace(/\s/g, "").toLowerCase();
  return data.secrets.findIndex((label) => label.toLowerCase() === folded);
}

function onType() {
  const text = query.value;
  if (!text) return clearSearch();
  const s = lookUp(text);
  if (s >= 0) return find(s, false);
  setTrail([]);
  const near = suggestions(text.trim().toLowerCase());
  const some = near.length > MOST_HINTS ? say("Many {secrets}") : secrets(near.length);
  if (near.length) tell(false, asText ? say("{some} with “{text}”:", { some, text }) : say("{some} beginning “{text}”:", { some, text }), near);
  else tell(true, unknown(text), []);
}

function onSubmit(event) {
  event.preventDefault();
  if (!query.value) return;
  const s = lookUp(query.value);
  if (s >= 0) {
    find(s, false);
    tree.focus({ preventScroll: true });
  } else tell(true, unknown(query.value), suggestions(query.value.trim().toLowerCase()));
}

function suggestions(text) {
  const near = [];
  if (!text) return near;
  for (let s = 0; s < data.secrets.length && near.length <= MOST_HINTS; s++) {
    const label = data.secrets[s].toLowerCase();
    if (asText ? label.includes(text) : label.startsWith(text)) near.push(s);
  }
  return near;
}

/** Why a text is no secret. */
function unknown(text) {
  const start = say("“{text}” is not a {secret} of {game}.", { text, game: oneLine(data.game) });
  return data.accepted ? `${start} ${say("A {secret} has {accepted}.", { accepted: data.accepted })}` : start;
}

function tell(bad, message, near) {
  found.hidden = false;
  found.replaceChildren(el("span", bad ? "bad" : "mute", message));
  if (!near.length) return;
  const hints = near.slice(0, MOST_HINTS).map((s) => button("", () => find(s), oneLine(data.secrets[s])));
  found.append(el("span", "hints", ...hints));
}

function setTrail(nodes) {
  trail = new Set(nodes);
  schedule();
}

/** Show the game in which this is the secret. */
function find(s, fill = true) {
  const nodes = nodesOf[s];
  if (fill) query.value = data.secrets[s];
  found.hidden = false;
  if (!nodes.length) return tell(true, say("The tree does not reach “{label}”.", { label: oneLine(data.secrets[s]) }), []);
  const ways = byLikelihood(s, nodes);
  const more = nodes.length - ways.length;
  found.replaceChildren(...ways.map(([node, share]) => trace(node, share)), ...(more ? [el("p", "mute", says("and {n} less likely way", "and {n} less likely ways", more))] : []));
  setTrail(ways.flatMap(([node]) => pathTo(node)));
  select(ways[0][0]);
  centre();
}

const MOST_WAYS = 8;

/** Where a secret may end, with how likely it ends there: the likeliest where these are many. */
function byLikelihood(s, nodes) {
  if (!model || !data.outcomes) return nodes.map((node) => [node]);
  const weight = data.weights ? data.weights[s] : 1;
  const ways = nodes.map((node) => [node, (massesAt(node).find(([t]) => t === s)?.[1] ?? 0) / weight]);
  return ways.sort((a, b) => b[1] - a[1]).slice(0, MOST_WAYS);
}

/** The game that ends at a node, as a line of guesses and responses. */
function trace(node, share) {
  const [path, note] = lastSteps(pathTo(node));
  const total = guesses(guessesFor(node)) + (share === undefined ? "" : ` · ${percent(share)}`);
  const line = el("ol", "trace", el("li", "total", total), ...note);
  path.forEach((n, i) => {
    line.append(el("li", "", button("hop", () => go(n), ...(i < path.length - 1 ? turnTo(path[i + 1]) : last(n)))));
  });
  return line;
}

/** The end of a game: a guess that wins, or what is known. */
function last(n) {
  if (!toWin) return [code(nameOf(n), "small"), el("span", "win", decides(n) ? say("decided") : isDone(n) ? say("done") : say("identified"))];
  const won = answer(guess[n], data.winning);
  return marksOf(guess[n], data.winning) ? [won] : [code(nameOf(n), "small"), won];
}

/** Bring the selected row to the middle if it would be the last one seen. */
function centre() {
  scroller.scrollTop = Math.max(0, rowOf[selected] * rowHeight - (scroller.clientHeight - HEAD) / 2);
}

function clearSearch() {
  query.value = "";
  found.hidden = true;
  found.replaceChildren();
  setTrail([]);
  tree.focus({ preventScroll: true });
}
