"use strict";

// ---- Header --------------------------------------------------------------------------------------------------

function drawHeader() {
  byId("game").textContent = oneLine(data.title);
  if (data.how) {
    for (const [key, value] of data.tags) if (value) byId("tags").append(el("span", "", `${key} `, el("b", "", value)));
    for (const text of [...data.parameters, data.game]) byId("tags").append(el("span", "", oneLine(text)));
  }
  drawVerdict();
  byId("meaning").textContent = data.meaning;
  Object.entries(data.figures).forEach(([key, value], i) => {
    const dd = el("dd", "", value);
    dd.id = key.toLowerCase().replace(" ", "-");
    byId("figures").append(el("div", "", el("dt", "", data.captions[i]), dd));
  });
  drawHistogram();
}

/** What is proven of the strategy; or what is true now, where another order is followed. */
function drawVerdict(now = "") {
  const box = byId("verdict");
  box.classList.toggle("proven", data.proven && !data.claimed && !now);
  box.textContent = now;
  byId("meaning").hidden = Boolean(now); // what the strategy comes to
  if (now) return;
  const bound = (parts) => (parts.length ? parts.map((part) => (isNaN(part) ? part : number(Number(part)))).join(" · ") : say("unknown"));
  if (data.proven) box.textContent = `${data.claimed ? "" : "✓ "}${data.proof}`;
  else if (data.lower.length || data.upper.length) {
    const what = say("not proven: optimum at least {least}, at most {most}", { least: bound(data.lower), most: bound(data.upper) });
    box.textContent = data.claimed ? say("the file says: {what}", { what }) : what;
  }
}

const MOST_BARS = 16;
const RANGES = 10;
const brief = new Intl.NumberFormat(document.documentElement.lang, { notation: "compact", maximumSignificantDigits: 2 });

function drawHistogram() {
  const times = new Array(worst[0] + 1).fill(0);
  for (const nodes of nodesOf) if (nodes.length) times[Math.max(...nodes.map(guessesFor))]++;
  const start = times.findIndex((count) => count > 0);
  const span = times.length - start;
  const width = span > MOST_BARS ? Math.ceil(span / RANGES) : 1;
  const bars = [];
  for (let from = start; from < times.length; from += width) {
    const to = Math.min(from + width, times.length);
    bars.push({ name: width === 1 ? `${from}` : `${from}–${to - 1}`, count: times.slice(from, to).reduce((a, b) => a + b) });
  }
  const most = Math.max(...bars.map((bar) => bar.count));
  byId("histogram").classList.toggle("crowded", bars.length > 8);
  for (const { name, count } of bars) {
    const stick = el("i", "");
    stick.style.height = `calc((100% - 32px) * ${count / most})`;
    const item = el("li", "", el("span", "count", number(count)), el("span", "count brief", count < 1000 ? `${count}` : brief.format(count)), stick, el("span", "n", name));
    const some = name === "1" ? guesses(1) : `${name} ${data.nouns.guesses}`;
    item.title = say("{some} with {asked}", { some: secrets(count), asked: some });
    byId("histogram").append(item);
  }
}
