// Starts the worker while the browser still reads the page: a tenth of a second that nobody waits for. Where
// that is refused, the engine says so when it tries again.
const textOf = (id) => document.getElementById(id).textContent;
const engineURL = URL.createObjectURL(new Blob(
  [`const packedUnpacker = '${textOf('unpacker').trim()}';`, textOf('worker')], { type: 'text/javascript' }));

/// Gives a worker the engine's text, in UTF-8.
function sendEngine(worker) {
  const engine = new TextEncoder().encode(textOf('engine'));
  worker.postMessage({ engine }, [engine.buffer]);
}

// What the first worker says before anybody listens; the first word is that it has the engine's text. A message
// reaches a worker that is just starting only while the page does nothing else, so the page waits for that word.
const said = [];
let firstWorker = null, hear;
const isUnderWay = new Promise((resolve) => { hear = resolve; });
setTimeout(hear, 500);
try {
  firstWorker = new Worker(engineURL);
  firstWorker.onmessage = firstWorker.onerror = (event) => {
    said.push(event);
    hear();
  };
} catch {
  firstWorker = null;
  hear();
}

// The scripts of the page are packed; they are unpacked while the browser reads the engine's text.
const scripts = (async () => {
  const bytes = Uint8Array.from(atob(textOf('scripts')), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
})();
scripts.catch(() => {});
