"use strict";

// ---- Theme, printing, start ----------------------------------------------------------------------------------

function toggleTheme() {
  const root = document.documentElement;
  const now = root.style.colorScheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.style.colorScheme = now === "dark" ? "light" : "dark";
}

function drawSigns() {
  const signs = [["end", toWin ? say("wins for certain") : data.decisions.length ? say("decided") : say("identified")]];
  if (toWin) signs.push(["may", say("may win")]);
  for (const [name, text] of signs) byId("signs").append(el("dt", "", el("span", `ask ${name}`, data.nouns.guess)), el("dd", "", text));
  if (data.answers === "marks") {
    for (const [sign, text] of Object.entries(MARKS)) byId("signs").append(el("dt", "", marked("a", sign, "small")), el("dd", "", text));
  }
  if (data.answers !== "keys") return;
  for (const [name, text] of [["black", say("right colour in the right place")], ["white", say("right colour elsewhere")]]) {
    byId("signs").append(el("dt", "", el("span", "answer keys", el("i", `key ${name}`))), el("dd", "", text));
  }
}

function start() {
  document.body.dataset.codes = data.codes;
  const [wide, thin] = answerWidths();
  document.documentElement.style.setProperty("--via-wide", wide);
  document.documentElement.style.setProperty("--via-narrow", thin);
  query.placeholder = asText ? say("Find a {secret}") : say("Find a {secret}, such as {label}", { label: data.secrets[data.secrets.length >> 1] });
  drawHeader();
  drawSigns();
  openFirst();
  const usual = asText && !toWin ? "guide" : "explore";
  readAddress(usual);
  scroller.addEventListener("scroll", schedule, { passive: true });
  new ResizeObserver(schedule).observe(scroller);
  for (const media of [narrow, coarse]) media.addEventListener("change", fitScreen);
  tree.addEventListener("click", onRowClick);
  tree.addEventListener("keydown", onTreeKey);
  document.addEventListener("keydown", onKey);
  byId("search").addEventListener("submit", onSubmit);
  query.addEventListener("input", onType);
  byId("expand").addEventListener("click", () => openAll(true));
  byId("collapse").addEventListener("click", () => openAll(false));
  byId("to-guide").addEventListener("click", () => changeMode("guide"));
  byId("to-tree").addEventListener("click", () => changeMode("explore"));
  byId("back").addEventListener("click", stepBack);
  byId("again").addEventListener("click", () => turn([]));
  byId("print").addEventListener("click", () => print());
  addEventListener("popstate", () => readAddress(usual));
  byId("theme").addEventListener("click", toggleTheme);
  byId("help").addEventListener("click", () => byId("manual").showModal());
  // On paper there is no scrolling: draw every row, if they are not too many.
  for (const [event, value] of [["beforeprint", true], ["afterprint", false]]) {
    addEventListener(event, () => {
      printing = value;
      drawRows();
    });
  }
}

start();
