// A search that goes on: bounds as a band that narrows, and the figures that the server sends.

const QUIET = 5000; // milliseconds between two things that are read out
const page = location.pathname;
const at = (id) => document.getElementById(id);
let rows = [], part = null, spoken = -Infinity, source = null, worker = null, drawing = 0;

function follow() {
  rows = [];
  source = new EventSource(`${page}/events`);
  source.onmessage = (message) => take(JSON.parse(message.data));
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) location.reload();
    else at("phase").textContent = "nothing: the server does not answer; what was finished is kept";
  };
}

// A browser keeps few connections to a server: a page that is not seen asks now and then.
function absent() {
  source.close();
  worker = new Worker("/static/absent.js");
  worker.onmessage = (message) => take(message.data);
  worker.postMessage(`${page}/state`);
}

function take(known) {
  if (known.result || known.fault || known.gone) {
    location.replace(page); // where the result is, or what went wrong
    return;
  }
  for (const name of ["states", "rate"]) if (name in known) at(name).textContent = known[name].toLocaleString("en");
  if ("first" in known) at("first").textContent = known.first || "–";
  if ("phase" in known) at("phase").textContent = known.phase;
  if (known.said) {
    at("said").textContent = known.said;
    if (performance.now() - spoken > QUIET) {
      at("live").textContent = known.said;
      spoken = performance.now();
    }
  }
  if (known.part) {
    if (known.part !== part) rows = [];
    part = known.part;
    rows.push([known.seconds, known.lower, known.upper]);
    drawing ||= requestAnimationFrame(draw);
  }
}

function put(parent, name, attributes, text = "") {
  const made = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
}

function draw() {
  drawing = 0;
  const svg = at("band"), width = svg.clientWidth, height = svg.clientHeight;
  const [left, right, top, bottom] = [8, 64, 14, 22];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  if (!rows.length) return;
  const [end, lower, upper] = rows.at(-1);
  const values = rows.flatMap((row) => row.slice(1)).filter((value) => value !== null);
  const low = Math.min(...values), high = Math.max(...values), span = high - low || 1;
  const begin = rows[0][0];
  const x = (seconds) => left + ((width - left - right) * (seconds - begin)) / Math.max(end - begin, 1);
  const y = (value) => top + ((height - top - bottom) * (high - value)) / span;
  const steps = (column) => {
    const points = [];
    for (const row of rows) {
      if (row[column] === null) continue;
      if (points.length) points.push([x(row[0]), points.at(-1)[1]]);
      points.push([x(row[0]), y(row[column])]);
    }
    return points;
  };
  const line = (points) => points.map((point) => point.map((n) => n.toFixed(1)).join(",")).join(" ");
  const below = steps(1), above = steps(2);
  put(svg, "path", { class: "axis", d: `M${left} ${height - bottom}H${width - right}` });
  if (above.length) {
    const under = below.filter((point) => point[0] >= above[0][0]);
    put(svg, "polygon", { class: "area", points: line([...above, ...under.reverse()]) });
    put(svg, "polyline", { class: "line", points: line(above) });
  }
  put(svg, "polyline", { class: "line least", points: line(below) });
  const label = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(value < 100 ? 3 : 1));
  const down = y(lower), up = upper === null ? top : y(upper);
  const apart = Math.max(0, 15 - (down - up)) / 2; // so that the numbers stay legible
  if (upper !== null && upper !== lower) put(svg, "text", { x: width - right + 6, y: up + 4 - apart }, label(upper));
  put(svg, "text", { x: width - right + 6, y: down + 4 + (upper !== lower ? apart : 0) }, label(lower));
  put(svg, "text", { x: left, y: height - 6 }, `${begin.toFixed(0)} s`);
  put(svg, "text", { x: width - right, y: height - 6, "text-anchor": "end" }, `${Math.max(end, begin + 1).toFixed(0)} s`);
}

const began = performance.now() - 1000 * Number(at("seconds").textContent);
setInterval(() => {
  at("seconds").textContent = Math.round((performance.now() - began) / 1000);
}, 500);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) absent();
  else {
    worker?.terminate();
    follow();
  }
});
addEventListener("resize", () => (drawing ||= requestAnimationFrame(draw)));
if (document.hidden) { source = { close() {} }; absent(); } else follow();
