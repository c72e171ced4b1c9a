"use strict";
/* Checks one certificate beside the page, which stays alive meanwhile, and may end this worker at any time. */

const EACH = 100; // milliseconds between two reports

async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** What the checker says; a program that is stopped says nothing, and gives no verdict. */
function judged(module, name, files) {
  let said = 0;
  function reading(left, bytes) {
    const now = performance.now();
    if (now - said < EACH) return;
    said = now;
    postMessage({ progress: { left, bytes } });
  }
  try {
    return runChecker(module, name, files, reading);
  } catch (error) {
    const small = error instanceof RangeError; // of calls in calls, or of what may be kept
    const why = small ? "this browser allows it too little memory for calls within calls" : String(error);
    return { status: 3, line: `not checked: ${why}; check it with the program in C`, bytes: 0 };
  }
}

self.onmessage = async ({ data: { program, name, blobs, strategy } }) => {
  try {
    const files = new Map();
    for (const [file, blob] of blobs) files.set(file, new Uint8Array(await blob.arrayBuffer()));
    const module = await WebAssembly.compile(await unpacked(program));
    const begun = performance.now(), verdict = judged(module, name, files);
    const seconds = (performance.now() - begun) / 1000, certificate = files.get(name);
    postMessage({ verdict: { ...verdict, seconds, sha256: sha256(certificate) } });
    const claim = readClaim(certificate);
    if (verdict.status === 0 && claim.family !== "strategy") {
      const played = strategy ? await strategy.blob.text() : null;
      const [what, text, note] = provedWith(claim, verdict.line, strategy?.name, played, files);
      postMessage({ proved: { what, text, note } });
    }
    postMessage({ ended: true });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
