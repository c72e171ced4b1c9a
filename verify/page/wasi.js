"use strict";
/* What a checker asks of its system, a few calls of WASI (preview 1), over files in memory. Nothing else is reachable:
 * no network, no clock, no file of this machine. */

const NO_FILE = 44, BAD_DESCRIPTOR = 8; // errno of WASI
const FOLDER = 3; // the descriptor of the only folder, behind input, output and messages

/** How a program ended: its status. */
class Ended extends Error {
  constructor(status) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** The imports of a program, and what it has said: `said[1]` on its output, `said[2]` of what went wrong.
 *
 * names: the words of its command line; files: bytes by name, all in one folder; reading(left): called with the bytes
 * of the certificate that are not read yet. */
function systemOf(names, files, reading) {
  const open = new Map(), said = { 1: "", 2: "" }, texts = new TextEncoder();
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const words = names.map(name => texts.encode(`${name}\0`));
  let memory = null, fresh = FOLDER + 1;
  const view = () => new DataView(memory.buffer); // made again: memory that grows has another buffer
  const bytes = (at, size) => new Uint8Array(memory.buffer, at, size);

  function* pieces(at, count) { // of memory, to read into or to write from
    for (let i = 0; i < count; i++) {
      yield bytes(view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true));
    }
  }

  const calls = {
    args_sizes_get(many, size) {
      view().setUint32(many, words.length, true);
      view().setUint32(size, words.reduce((sum, word) => sum + word.length, 0), true);
      return 0;
    },
    args_get(places, at) {
      for (const [i, word] of words.entries()) {
        view().setUint32(places + 4 * i, at, true);
        bytes(at, word.length).set(word);
        at += word.length;
      }
      return 0;
    },
    fd_prestat_get(descriptor, at) { // the folder is called "."
      if (descriptor !== FOLDER) return BAD_DESCRIPTOR;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return 0;
    },
    fd_prestat_dir_name(descriptor, at) {
      bytes(at, 1)[0] = ".".charCodeAt(0);
      return 0;
    },
    fd_fdstat_get(descriptor, at) {
      if (descriptor > FOLDER && !open.has(descriptor)) return BAD_DESCRIPTOR;
      bytes(at, 24).fill(0);
      view().setUint8(at, descriptor === FOLDER ? 3 : descriptor < FOLDER ? 2 : 4); // folder, device, file
      view().setBigUint64(at + 8, 0xffffffffn, true); // it may do all of this
      view().setBigUint64(at + 16, 0xffffffffn, true);
      return 0;
    },
    fd_fdstat_set_flags: () => 0,
    path_open(folder, how, path, length, ...rest) {
      const content = files.get(new TextDecoder().decode(bytes(path, length)).replace(/^\.\//, ""));
      if (!content) return NO_FILE;
      open.set(fresh, { content, at: 0 });
      view().setUint32(rest[rest.length - 1], fresh++, true);
      return 0;
    },
    fd_read(descriptor, at, count, got) {
      const file = open.get(descriptor);
      if (!file) return BAD_DESCRIPTOR;
      let sum = 0;
      for (const to of pieces(at, count)) {
        const part = file.content.subarray(file.at, file.at + to.length);
        to.set(part);
        file.at += part.length, sum += part.length;
      }
      view().setUint32(got, sum, true);
      return 0;
    },
    fd_seek(descriptor, offset, whence, to) {
      const file = open.get(descriptor);
      if (!file) return BAD_DESCRIPTOR;
      file.at = Number(offset) + [0, file.at, file.content.length][whence];
      view().setBigUint64(to, BigInt(file.at), true);
      return 0;
    },
    fd_write(descriptor, at, count, written) {
      if (!(descriptor in said)) return BAD_DESCRIPTOR;
      let sum = 0;
      for (const part of pieces(at, count)) {
        said[descriptor] += decoders[descriptor].decode(part, { stream: true });
        sum += part.length;
      }
      view().setUint32(written, sum, true);
      return 0;
    },
    fd_close(descriptor) {
      return open.delete(descriptor) ? 0 : BAD_DESCRIPTOR;
    },
    proc_exit(status) {
      throw new Ended(status);
    },
  };
  return {
    imports: { wasi_snapshot_preview1: calls, page: { reading } },
    said,
    use: made => { memory = made; },
  };
}

/** Run a compiled checker on a certificate: its status, what it said, and the bytes of memory that it took. */
function runChecker(module, name, files, reading) {
  const system = systemOf(["gtverify", name], files, left => reading(left, memory.buffer.byteLength));
  const instance = new WebAssembly.Instance(module, system.imports), { memory } = instance.exports;
  system.use(memory);
  let status = 0;
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    status = error.status;
  }
  return { status, line: (system.said[1] + system.said[2]).trim(), bytes: memory.buffer.byteLength };
}
