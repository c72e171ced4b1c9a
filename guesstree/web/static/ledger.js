// A ledger while it is written: the page is asked for again, and what differs is replaced. Without this it
// is loaded again now and then.

const PAUSE = 2000; // milliseconds
const QUIET = 5000; // milliseconds between two things that are read out
const SILENT = "The server does not answer; what is below was read before.";
const at = (id) => document.getElementById(id);
let spoken = performance.now(), told = at("bounds").textContent;

async function look() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) throw new Error(page.querySelector(".fault")?.textContent ?? SILENT);
  if (Boolean(page.getElementById("tree")) !== Boolean(at("tree"))) return location.reload();
  for (const fresh of page.querySelectorAll("[data-live]")) renew(at(fresh.id), fresh);
}

/** Replace what a part holds, where it differs; what has the focus keeps it. */
function renew(part, fresh) {
  if (!part || part.innerHTML === fresh.innerHTML) return;
  const focus = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  part.replaceChildren(...document.importNode(fresh, true).childNodes);
  if (focus !== null) part.querySelector(`[href="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
}

/** Read out what is shown, where that is new. */
function speak() {
  const now = at("bounds").textContent;
  if (now === told || performance.now() - spoken < QUIET) return;
  [told, spoken] = [now, performance.now()];
  at("live").textContent = now.replace(/\s+/g, " ").trim();
}

async function follow() {
  for (;;) {
    await new Promise((done) => setTimeout(done, PAUSE));
    if (document.hidden) await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
    try {
      await look();
      speak();
    } catch (error) {
      const said = document.createElement("p");
      said.className = "fault";
      said.textContent = error instanceof TypeError ? SILENT : error.message;
      if (at("fault").textContent !== said.textContent) at("fault").replaceChildren(said);
    }
  }
}

follow();
