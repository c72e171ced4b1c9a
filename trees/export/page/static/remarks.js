"use strict";

// ---- Notes and pictures of guesses and secrets -----------------------------------------------------------------

const NO_REMARKS = { notes: {}, images: {} };

/** What is said and shown of a guess or a secret: a note, and pictures, each inside the page or behind a link. */
function remarksOf(side, i) {
  const { notes, images } = data.remarks?.[side] ?? NO_REMARKS;
  const label = oneLine(side === "guesses" ? guessLabel(i) : data.secrets[i]);
  const made = notes[i] ? [el("p", "remark", notes[i])] : [];
  const some = images[i] ?? [];
  return some.length ? [...made, el("div", "pictures", ...some.map((source, n) => pictureOf(source, label, some.length > 1 ? n + 1 : 0)))] : made;
}

function pictureOf(source, label, n) {
  const words = n ? say("Picture {n} of {label}", { n: number(n), label }) : say("Picture of {label}", { label });
  const inside = source.startsWith("data:");
  const made = inside ? el("img", "") : el("a", "", `${words} (${new URL(source).hostname})`);
  const own = inside ? { src: source, alt: words } : { href: source, target: "_blank", rel: "noopener noreferrer" };
  for (const [name, value] of Object.entries(own)) made.setAttribute(name, value);
  return made;
}
