// Starts the worker while the browser still reads the engine's text below: a tenth of a second that nobody
// waits for. Where that is refused, the engine says so when it tries again.
const engineURL = URL.createObjectURL(
  new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' }));
let firstWorker = null;
try {
  firstWorker = new Worker(engineURL);
  firstWorker.postMessage({ unpacker: document.getElementById('unpacker').textContent.trim() });
} catch { firstWorker = null; }
