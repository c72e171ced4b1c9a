"use strict";
/* Unpacks the format .xz: one stream of LZMA2 with CRC32 or CRC64, which is what `xz` and Python's lzma write.
 *
 * Everything that the format lets one compare is compared. Whatever came of it is checked like any other file, so no
 * verdict rests on this.
 * Source: The .xz File Format, version 1.2.1 (tukaani.org); LZMA as its specification in LZMA SDK 9.35 has it. */

const need = (fine, why) => {
  if (!fine) throw new Error(why);
};
const DAMAGED = "it is damaged", MORE = "it has more than one stream of LZMA2";
const CHECKS = { 1: 4, 4: 8 }; // bytes of CRC32 and CRC64, by what the header calls them

/** The remainders of all bytes: words of 32 bits, the lower one first; the polynomial is given likewise. */
function remainders(low, high) {
  const found = new Uint32Array(512);
  for (let byte = 0; byte < 256; byte++) {
    let a = byte, b = 0;
    for (let i = 0; i < 8; i++) {
      const odd = a & 1;
      a = (a >>> 1) | (b << 31), b >>>= 1;
      if (odd) a ^= low, b ^= high;
    }
    found[2 * byte] = a, found[2 * byte + 1] = b;
  }
  return found;
}
const OF_32 = remainders(0xedb88320, 0), OF_64 = remainders(0xd7870f42, 0xc96c5795);

/** The CRC of bytes, of so many bytes, as it stands in a file. */
function crc(bytes, size) {
  const table = size === 4 ? OF_32 : OF_64;
  let a = -1, b = size === 4 ? 0 : -1;
  for (let i = 0; i < bytes.length; i++) {
    const at = 2 * ((a ^ bytes[i]) & 255);
    a = ((a >>> 8) | (b << 24)) ^ table[at];
    b = (b >>> 8) ^ table[at + 1];
  }
  const found = new DataView(new ArrayBuffer(8));
  found.setInt32(0, ~a, true);
  found.setInt32(4, ~b, true);
  return new Uint8Array(found.buffer, 0, size);
}

/** Some bytes, read one after the other. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  take(count) {
    need(this.at + count <= this.bytes.length, "it is cut short");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  byte() {
    return this.take(1)[0];
  }
  number() { // 7 bits in each byte, the lowest first
    let found = 0, byte = 128;
    for (let scale = 1; byte > 127; scale *= 128) {
      need(scale < 2 ** 49, DAMAGED);
      byte = this.byte();
      found += (byte & 127) * scale;
    }
    return found;
  }
  pad(start) { // to whole words from a place on
    while ((this.at - start) % 4) need(this.byte() === 0, DAMAGED);
  }
  same(bytes) {
    need(this.take(bytes.length).every((byte, i) => byte === bytes[i]), DAMAGED);
  }
  seal(start, size = 4) { // the CRC of what stands from a place on
    this.same(crc(this.bytes.subarray(start, this.at), size));
  }
}

// ---- LZMA ----------------------------------------------------------------------------------------------------

const MATCH = 0, REP = 192, REP0 = 204, REP1 = 216, REP2 = 228, LONG = 240, SLOT = 432, FAR = 688, ALIGN = 803;
const LENGTH = 819, REP_LENGTH = 1333, LITERAL = 1847; // where the probabilities of each kind begin

/** What unpacks the chunks of a block, one after the other, to a place in `out`, and may look back there. */
class Lzma {
  constructor(out, at) {
    this.out = out;
    this.at = this.start = at;
  }

  properties(byte) {
    need(byte < 225, DAMAGED);
    this.lc = byte % 9, this.lp = Math.floor(byte / 9) % 5, this.pb = Math.floor(byte / 45);
    need(this.lc + this.lp <= 4, DAMAGED);
    this.reset();
  }

  reset() {
    this.chances = new Uint16Array(LITERAL + (0x300 << (this.lc + this.lp))).fill(1024);
    this.state = 0;
    this.reps = [0, 0, 0, 0];
  }

  copy(bytes) {
    need(this.at + bytes.length <= this.out.length, DAMAGED);
    this.out.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Unpack a chunk to so many bytes. */
  run(packed, size) {
    const { chances, out, start, lc, reps } = this, end = this.at + size;
    need(end <= out.length && packed.length >= 5 && packed[0] === 0, DAMAGED);
    const lowest = (1 << this.lp) - 1, places = (1 << this.pb) - 1;
    let { at, state } = this, from = 5, range = -1; // range and code have 32 bits, and no sign
    let code = (packed[1] << 24) | (packed[2] << 16) | (packed[3] << 8) | packed[4];

    function shift() {
      if (range >>> 24) return;
      range <<= 8;
      code = (code << 8) | packed[from++];
    }
    function bit(i) {
      const bound = (range >>> 11) * chances[i], one = code >>> 0 >= bound >>> 0;
      if (one) {
        range = (range - bound) | 0, code = (code - bound) | 0;
        chances[i] -= chances[i] >>> 5;
      } else {
        range = bound | 0;
        chances[i] += (2048 - chances[i]) >>> 5;
      }
      shift();
      return one ? 1 : 0;
    }
    function tree(base, bits) {
      let found = 1;
      for (let i = 0; i < bits; i++) found = 2 * found + bit(base + found);
      return found - (1 << bits);
    }
    function backwards(base, bits) {
      let found = 0, node = 1;
      for (let i = 0; i < bits; i++) {
        const one = bit(base + node);
        node = 2 * node + one, found |= one << i;
      }
      return found;
    }
    function direct(bits) {
      let found = 0;
      for (let i = 0; i < bits; i++) {
        range >>>= 1;
        const one = code >>> 0 >= range >>> 0;
        if (one) code = (code - range) | 0;
        found = 2 * found + one;
        shift();
      }
      return found;
    }
    function length(base, place) {
      if (!bit(base)) return 2 + tree(base + 2 + 8 * place, 3);
      if (!bit(base + 1)) return 10 + tree(base + 130 + 8 * place, 3);
      return 18 + tree(base + 258, 8);
    }
    function distance(long) {
      const slot = tree(SLOT + 64 * Math.min(long - 2, 3), 6), bits = (slot >> 1) - 1;
      if (slot < 4) return slot;
      const base = (2 | (slot & 1)) * 2 ** bits;
      return slot < 14
        ? base + backwards(FAR + base - slot, bits)
        : base + direct(bits - 4) * 16 + backwards(ALIGN, 4);
    }
    function literal() {
      const last = at > start ? out[at - 1] : 0;
      const base = LITERAL + 0x300 * ((((at - start) & lowest) << lc) + (last >> (8 - lc)));
      let found = 1;
      if (state >= 7) {
        for (let like = out[at - reps[0] - 1], same = true; same && found < 256; like <<= 1) {
          const due = (like >> 7) & 1, one = bit(base + 0x100 * (1 + due) + found);
          found = 2 * found + one, same = one === due;
        }
      }
      while (found < 256) found = 2 * found + bit(base + found);
      out[at++] = found;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    }
    /** How many bytes are the same as before; reps[0] says where. */
    function match(place) {
      const after = state < 7 ? 0 : 3; // the state has one for each kind of what came before
      if (!bit(REP + state)) {
        const long = length(LENGTH, place);
        reps.unshift(distance(long)), reps.pop();
        state = 7 + after;
        return long;
      }
      let which = 0;
      if (bit(REP0 + state)) which = bit(REP1 + state) ? 2 + bit(REP2 + state) : 1;
      else if (!bit(LONG + 16 * state + place)) {
        state = 9 + after - (after ? 1 : 0);
        return 1;
      }
      reps.unshift(...reps.splice(which, 1));
      state = 8 + after;
      return length(REP_LENGTH, place);
    }

    while (at < end) {
      const place = (at - start) & places;
      if (!bit(MATCH + 16 * state + place)) literal();
      else {
        const long = match(place), back = reps[0] + 1;
        need(back <= at - start && at + long <= end, DAMAGED);
        for (let i = 0; i < long; i++, at++) out[at] = out[at - back];
      }
    }
    need(from === packed.length && code === 0, DAMAGED);
    Object.assign(this, { at, state });
  }
}

// ---- the file around it --------------------------------------------------------------------------------------

/** Where the blocks of a file stand: the sizes of each, packed (with its header and check) and unpacked. */
function indexOf(packed) {
  const whole = packed.length, head = new Reader(packed), foot = new Reader(packed.subarray(whole - 12));
  head.same([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]);
  const flags = head.take(2), size = CHECKS[flags[1]];
  head.seal(6);
  need(whole % 4 === 0 && packed[whole - 2] === 0x59 && packed[whole - 1] === 0x5a, "it is cut short");
  const sum = foot.take(4);
  const back = 4 * (new DataView(packed.buffer, packed.byteOffset + whole - 8).getUint32(0, true) + 1);
  need(crc(packed.subarray(whole - 8, whole - 2), 4).every((byte, i) => byte === sum[i]), DAMAGED);
  foot.take(4), foot.same(flags);
  need(flags[0] === 0 && size, "its check is neither CRC32 nor CRC64");
  need(back + 24 <= whole, DAMAGED);
  const index = new Reader(packed.subarray(whole - 12 - back, whole - 12)), blocks = [];
  need(index.byte() === 0, DAMAGED);
  for (let left = index.number(); left > 0; left--) {
    const sized = index.number();
    blocks.push({ packed: sized, padded: 4 * Math.ceil(sized / 4), unpacked: index.number() });
  }
  index.pad(0);
  index.seal(0);
  need(index.at === back, DAMAGED);
  need(blocks.reduce((sum, one) => sum + one.padded, 24 + back) === whole, MORE);
  return { size, blocks };
}

/** The header of a block: what it says of its sizes is what the index says. */
function readHeader(from, check, block) {
  const size = 4 * (from.byte() + 1), flags = from.byte(), start = from.at - 2;
  need((flags & 0x3f) === 0, MORE);
  if (flags & 0x40) need(from.number() === block.packed - size - check, DAMAGED);
  if (flags & 0x80) need(from.number() === block.unpacked, DAMAGED);
  need(from.number() === 0x21 && from.number() === 1, MORE);
  from.byte(); // how far back it looks: all is kept here
  need(from.at <= start + size - 4, DAMAGED);
  while (from.at < start + size - 4) need(from.byte() === 0, DAMAGED);
  from.seal(start);
}

/** Unpack a file; now and then, let the page do something else. Throws an Error that says what is wrong with it. */
async function unxz(packed) {
  const { size, blocks } = indexOf(packed);
  const whole = blocks.reduce((sum, one) => sum + one.unpacked, 0);
  need(whole < 2 ** 32, "it has 4 GB or more"); // no checker takes so much
  const out = new Uint8Array(whole), from = new Reader(packed);
  from.take(12);
  let at = 0;
  for (const block of blocks) {
    const start = from.at, first = at;
    readHeader(from, size, block);
    const lzma = new Lzma(out, at);
    let least = 0xe0; // which chunks may come next: a first one forgets what was before
    for (let control = from.byte(); control > 0; control = from.byte()) {
      const [high, low] = from.take(2), many = (high << 8) + low + 1;
      need(control === 1 || control >= least || (control === 2 && least < 0xe0), DAMAGED);
      if (control === 1 || control >= 0xe0) lzma.start = lzma.at;
      if (control < 0x80) {
        if (control === 1) least = 0xc0;
        lzma.copy(from.take(many));
        continue;
      }
      const [above, below] = from.take(2);
      if (control >= 0xc0) lzma.properties(from.byte());
      else if (control >= 0xa0) lzma.reset();
      least = 0x80;
      lzma.run(from.take((above << 8) + below + 1), ((control & 31) << 16) + many);
      await new Promise(done => setTimeout(done));
    }
    at += block.unpacked;
    need(lzma.at === at && from.at - start === block.packed - size, DAMAGED);
    from.pad(start);
    from.same(crc(out.subarray(first, at), size));
  }
  return out;
}
