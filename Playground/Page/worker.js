// The worker: unpacks the engine once, then answers one request after the other. It shares nothing with
// the page, so the page can end it at any time.

let exports, toldAt = 0;

/// Before the engine's text is there.
const unpacker = new WebAssembly.Instance(
  new WebAssembly.Module(Uint8Array.from(atob(packedUnpacker), (one) => one.charCodeAt(0))));

function unpacked(engine) {
  const { memory, room, begin, more, unpackedCount } = unpacker.exports;
  const place = room(engine.length);
  new Uint8Array(memory.buffer).set(engine, place);
  const output = begin(place, engine.length);
  while (more(65536)) { /* Piece by piece, so that the browser can change to faster code. */ }
  return new Uint8Array(memory.buffer, output, unpackedCount());
}

function start(module) {
  const utf8 = new TextDecoder();
  let memory;
  exports = new WebAssembly.Instance(module, {
    page: {
      nanoseconds: () => performance.now() * 1e6,
      progress: (done, total) => {
        const now = performance.now();
        if (now - toldAt < 100) return;
        toldAt = now;
        postMessage({ progress: { done, total } });
      },
      number: (start, count) => {
        const text = utf8.decode(new Uint8Array(memory.buffer, start, count));
        return /^[-+]?inf(inity)?$/i.test(text) ? (text[0] === '-' ? -Infinity : Infinity) : Number(text);
      },
    },
  }).exports;
  memory = exports.memory;
}

function answer(request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const place = exports.room(bytes.length);
  new Uint8Array(exports.memory.buffer).set(bytes, place);
  const output = exports.answer(place, bytes.length);
  return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, output, exports.answerCount()));
}

onmessage = ({ data }) => {
  try {
    if (data.engine || data.code) {
      postMessage({ begun: true });
      const code = data.code ?? unpacked(data.engine).slice();
      start(new WebAssembly.Module(code));
      // A page from a file cannot be sent a module, so what it keeps for the next worker is the code.
      postMessage({ ready: true, code: data.code ? null : code }, data.code ? [] : [code.buffer]);
      return;
    }
    const began = performance.now();
    const text = answer(data.request);
    postMessage({ id: data.id, text, milliseconds: performance.now() - began });
  } catch (error) {
    postMessage({ id: data.id, trap: String(error) });
  }
};
