// Starts the worker while the browser still reads the page: a tenth of a second that nobody waits for. Where
// that is refused, the engine says so when it tries again.
const textOf = (id) => document.getElementById(id).textContent;
const engineURL = URL.createObjectURL(new Blob([textOf('worker')], { type: 'text/javascript' }));

/// Gives a worker the engine's text, in UTF-8.
function sendEngine(worker) {
  const engine = new TextEncoder().encode(textOf('engine'));
  worker.postMessage({ unpacker: textOf('unpacker').trim(), engine }, [engine.buffer]);
}

// What the first worker says before anybody listens.
const said = [];
let firstWorker = null;
try {
  firstWorker = new Worker(engineURL);
  firstWorker.onmessage = firstWorker.onerror = (event) => said.push(event);
  firstWorker.postMessage({ unpacker: textOf('unpacker').trim() });
} catch { firstWorker = null; }
