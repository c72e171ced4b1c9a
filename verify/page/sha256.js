"use strict";
/* SHA-256 (FIPS 180-4), as a browser offers its own to pages of https alone. */

const SHA_K = (() => { // the first 32 bits of what follows the point in the cube roots of the first 64 primes
  const found = [];
  for (let n = 2; found.length < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) prime &&= n % d !== 0;
    if (prime) found.push(Math.floor((Math.cbrt(n) % 1) * 2 ** 32) | 0);
  }
  return Int32Array.from(found);
})();

/** The digest of bytes, in hexadecimal. */
function sha256(bytes) {
  const h = Int32Array.of(
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
  const whole = bytes.length - bytes.length % 64, rest = bytes.subarray(whole);
  const last = new Uint8Array(rest.length < 56 ? 64 : 128), w = new Int32Array(64);
  last.set(rest), last[rest.length] = 0x80;
  new DataView(last.buffer).setBigUint64(last.length - 8, BigInt(bytes.length) * 8n);
  const turn = (x, by) => (x >>> by) | (x << (32 - by));

  function block(from, at) {
    for (let i = 0; i < 16; i++, at += 4) {
      w[i] = from[at] << 24 | from[at + 1] << 16 | from[at + 2] << 8 | from[at + 3];
    }
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], last = h[7];
    for (let i = 0; i < 64; i++) {
      const t = (last + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + SHA_K[i] + w[i]) | 0;
      const u = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      last = g, g = f, f = e, e = (d + t) | 0, d = c, c = b, b = a, a = (t + u) | 0;
    }
    [a, b, c, d, e, f, g, last].forEach((x, i) => { h[i] += x; });
  }

  for (let at = 0; at < whole; at += 64) block(bytes, at);
  for (let at = 0; at < last.length; at += 64) block(last, at);
  return [...h].map(x => (x >>> 0).toString(16).padStart(8, "0")).join("");
}
