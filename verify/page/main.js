"use strict";
/* The page: files that are here, one check after the other in a worker, and what came of each. */

const byId = id => document.getElementById(id);
const PACKED = { "1f8b": "gz", fd37: "xz", "504b": "zip", "425a": "bzip2", "28b5": "zstd" };
const UNPACK = { // browsers know gzip alone
  gz: async blob => new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).blob().catch(() => need(false, DAMAGED)),
  xz: async blob => new Blob([await unxz(new Uint8Array(await blob.arrayBuffer()))]),
};

const pool = []; // {name, blob, kind: certificate, strategy or file, claim, result, verified: what was said, if it is}
const workerUrl = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
let running = null; // {file, worker, begun, clock}

function made(tag, text = "", className = "") {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

const sized = bytes =>
  (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const timed = seconds => (seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`);

// ---- files ---------------------------------------------------------------------------------------------------

/** A file, unpacked if need be, with what it is; throws an Error that says what to do. */
async function recognised(given) {
  let blob = given, { name } = given;
  const start = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const packed = PACKED[[...start].map(x => x.toString(16).padStart(2, "0")).join("")];
  if (packed in UNPACK) {
    byId("note").textContent = `Unpacking ${name}`;
    blob = await UNPACK[packed](blob).catch(error => {
      throw new Error(`${name} is packed with ${packed}, and cannot be unpacked here: ${error.message}`);
    });
    name = name.replace(new RegExp(`\\.${packed}$`, "i"), "");
  } else if (packed) throw new Error(`${name} is packed with ${packed}; unpack it first`);
  const head = new Uint8Array(await blob.slice(0, HEAD).arrayBuffer()), claim = readClaim(head);
  const text = new TextDecoder().decode(head);
  const strategy = /^\s*\{/.test(text) && text.includes('"guesstree/1"');
  return { name, blob, claim, kind: claim ? "certificate" : strategy ? "strategy" : "file", result: null };
}

async function add(files) {
  const faults = [];
  for (const given of files) {
    try {
      const file = await recognised(given);
      const at = pool.findIndex(one => one.name === file.name);
      if (at >= 0) remove(pool[at]);
      if (file.kind === "strategy") for (const one of pool.filter(one => one.kind === "strategy")) remove(one);
      pool.push(file);
      if (file.kind !== "certificate") for (const one of pool) one.again = true; // with what is new
    } catch (error) {
      faults.push(error.message);
    }
  }
  byId("note").textContent = "";
  show();
  await next();
  if (faults.length) byId("note").textContent = [...faults, byId("note").textContent].join(". ");
}

function remove(file) {
  if (running?.file === file) stop();
  pool.splice(pool.indexOf(file), 1);
  file.result?.remove();
}

function show() {
  const kinds = { certificate: "certificate", strategy: "strategy", file: "table or list" };
  byId("pool").replaceChildren(...pool.map(file => {
    const item = made("li"), button = made("button", "Remove");
    button.type = "button";
    button.setAttribute("aria-label", `Remove ${file.name}`);
    button.onclick = () => {
      remove(file);
      show();
      next();
      byId("files").focus();
    };
    item.append(made("span", file.name, "name"), made("span", `${kinds[file.kind]}, ${sized(file.blob.size)}`, "soft"), button);
    return item;
  }));
  byId("clear").hidden = !pool.length;
}

/** The files that a certificate names, by these names: a file of another name serves if its SHA-256 is the name. */
async function named(claim) {
  const found = new Map(), others = pool.filter(one => one.kind === "file");
  for (const name of claim.files) {
    let file = others.find(one => one.name === name);
    for (const one of file ? [] : others) {
      one.sha256 ??= sha256(new Uint8Array(await one.blob.arrayBuffer()));
      if (name.startsWith(one.sha256)) file = one;
    }
    if (file) found.set(name, file.blob);
  }
  return found;
}

// ---- checks --------------------------------------------------------------------------------------------------

/** Begin the next check, if none is running. */
async function next() {
  if (running) return;
  const due = pool.filter(one => one.kind === "certificate" && (!one.result || one.again)), waits = [];
  for (const file of due) {
    const { claim } = file, named_ = await named(claim), missing = claim.files.filter(name => !named_.has(name));
    if (running || !pool.includes(file)) return; // while files were read
    if (claim.family === "kit") waits.push(`${file.name} is about kits, which are not checked here: python3 kit.py does it`);
    else if (missing.length) waits.push(`${file.name} names ${missing.join(" and ")}: add ${missing.length > 1 ? "these files" : "this file"}`);
    else {
      begin(file, named_);
      return;
    }
  }
  if (!pool.some(one => one.kind === "certificate") && pool.length) waits.push("Now add a certificate: it begins with guesstree-proof/1");
  byId("note").textContent = waits.join(". ");
}

function begin(file, files) {
  const strategy = pool.find(one => one.kind === "strategy");
  const worker = new Worker(workerUrl), begun = performance.now();
  const program = file.claim.program ?? "verify"; // which says that there is no such game
  const job = running = { file, worker, begun, program, heard: null, clock: setInterval(tick, 200) };
  file.again = false;
  byId("running").hidden = false;
  tick();
  worker.onerror = event => ended(job, { failed: event.message || "the worker does not start" });
  worker.onmessage = ({ data }) => hear(job, data);
  worker.postMessage({
    program: byId(`${program}-wasm`).textContent.trim(), name: file.name, blobs: [...files, [file.name, file.blob]],
    strategy: strategy ? { name: strategy.name, blob: strategy.blob } : null,
  });
}

function hear(job, data) {
  if (running !== job) return;
  if (data.progress) job.heard = data.progress;
  Object.assign(job, data);
  if (data.ended || data.failed) ended(job, data);
}

function tick() {
  const { file, begun, heard } = running, seconds = Math.floor((performance.now() - begun) / 1000);
  const size = file.blob.size, read = heard ? size - heard.left : 0;
  byId("doing").textContent = `Checking ${file.name}: ${seconds} s` +
    (heard ? `, ${Math.floor((100 * read) / size)} % read, ${sized(heard.bytes)} of memory` : "");
  byId("bar").value = read / size;
}

function finish() {
  clearInterval(running.clock);
  running.worker.terminate();
  running = null;
  byId("running").hidden = true;
}

async function ended(job, { failed = "" }) {
  if (running !== job) return;
  finish();
  const { file } = job, old = file.result;
  file.result = await card(job, failed);
  if (old?.isConnected) old.replaceWith(file.result);
  else if (pool.includes(file)) byId("results").append(file.result);
  next();
}

function stop() {
  const { file } = running, old = file.result;
  finish();
  file.result = verdictCard("stopped", "■ Stopped", `${file.name}: not checked to the end, so nothing is said of it`);
  file.again = false;
  if (old?.isConnected) old.replaceWith(file.result);
  else byId("results").append(file.result);
}

// ---- what came of it -----------------------------------------------------------------------------------------

function verdictCard(kind, title, line) {
  const found = made("article", "", `card verdict ${kind}`);
  found.append(made("h2", title), made("p", line, "said"));
  return found;
}

/** The line of a certificate that a message names, if it does and can be read: where it was refused. */
async function excerpt(file, line) {
  const at = line.startsWith(`${file.name}:`) ? parseInt(line.slice(file.name.length + 1), 10) : NaN;
  if (!(at > 0)) return null;
  const found = (await file.blob.text().catch(() => "")).split("\n", at)[at - 1] ?? "";
  return found ? made("p", `${at} | ${found.length > 300 ? `${found.slice(0, 300)}...` : found}`, "said excerpt") : null;
}

/** What a certificate and a strategy in its format prove together, the last of which has just been verified. */
function together(file) {
  const shared = sharedOf(file.claim), { program } = file.claim;
  const fits = one => one.verified && one.claim.program !== program && sharedOf(one.claim) === shared;
  const other = shared === null ? undefined : pool.find(fits);
  if (!other) return null;
  const [{ claim }, strategy] = program === "strategy" ? [other, file] : [file, other];
  const [, total, worst] = strategy.verified.match(/takes (\d+) guesses in all, at most (\d+)/);
  const [what, text] = compared(claim, aloneOf(claim, ""), BigInt(total), BigInt(worst));
  return { what, text: `${subjectOf(claim)}: ${text}` };
}

async function card({ file, program, verdict, proved }, failed) {
  if (!verdict) return verdictCard("unread", "No verdict", `${file.name}: not checked: ${failed}`);
  const { status, line, seconds, bytes, sha256 } = verdict;
  const [kind, title] = [["verified", "✓ Verified"], ["refused", "✗ Refused"], ["unread", "No verdict"]][Math.min(status, 2)];
  const found = verdictCard(kind, title, status ? line : `${file.name}: ${line}`);
  const part = status === 1 ? await excerpt(file, line) : null;
  if (part) found.append(part);
  file.verified = status === 0 && line;
  const shown = (file.verified && together(file)) || proved;
  if (shown) found.append(made("p", `${shown.what}: ${shown.text}`, "proved"));
  if (proved?.note) found.append(made("p", proved.note, "note"));
  if (status === 0 && failed) found.append(made("p", `The strategy is not counted: ${failed}`, "note"));
  const facts = made("dl"), of = { Certificate: `${file.name}, ${sized(file.blob.size)}, SHA-256 ${sha256}` };
  if (file.claim.files.length) of.About = file.claim.files.join(", ");
  of["Checked by"] = `${program}.c, in ${timed(seconds)} with ${sized(bytes)} of memory`;
  for (const [name, value] of Object.entries(of)) facts.append(made("dt", name), made("dd", value));
  found.append(facts);
  return found;
}

// ---- what a person does --------------------------------------------------------------------------------------

byId("files").onchange = async event => {
  const files = [...event.target.files];
  event.target.value = ""; // the same file may be chosen again
  await add(files);
};
byId("sample").onclick = () => add([new File([byId("sample-text").textContent.trimStart()], "mastermind-4x6.proof")]);
byId("stop").onclick = () => {
  stop();
  next();
  byId("files").focus();
};
byId("clear").onclick = () => {
  for (const file of [...pool]) remove(file);
  show();
  next();
  byId("files").focus();
};
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, event => {
    event.preventDefault();
    byId("drop").classList.toggle("over", name === "dragover");
    if (name === "drop") add([...event.dataTransfer.files]);
  });
}
