// The engine as the page sees it: a queue before a worker. What is asked again while it waits replaces
// what waited, so typing never piles up work. A trap, a time limit or Stop end the worker; the next one
// starts from the unpacked code in a few milliseconds.

class Engine {
  /// `onState` is told for which slot the engine works, or null; `onProgress` how much of it is done. `from` is an
  /// engine whose unpacked code this one may have.
  constructor(onState, onProgress, from) {
    this.from = from;
    this.onState = onState;
    this.onProgress = onProgress;
    this.waiting = new Map();
    this.running = null;
    this.nextID = 1;
    this.begin();
  }

  begin() {
    this.isReady = false;
    const first = firstWorker;
    firstWorker = null;
    try { this.worker = first ?? new Worker(engineURL); } catch (error) { return this.fail(error.message); }
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message || 'the engine does not start');
    };
    this.code ??= this.from?.code;
    if (first) for (const event of said.splice(0)) this.worker[`on${event.type}`](event);
    else if (this.code) this.worker.postMessage({ code: this.code });
    else sendEngine(this.worker);
  }

  get isBusy() { return Boolean(this.running) || this.waiting.size > 0; }

  /// Asks; `slot` names what the answer is for, and a newer request for a slot replaces one that waits.
  /// The answer is `{ value, text, milliseconds }`, or null if it was replaced or stopped.
  ask(slot, request, { limit = 0 } = {}) {
    this.waiting.get(slot)?.resolve(null);
    if (this.broken) return Promise.resolve(this.broken);
    return new Promise((resolve) => {
      this.waiting.delete(slot);
      this.waiting.set(slot, { request, resolve, limit, slot });
      this.next();
    });
  }

  next() {
    if (!this.isReady || this.running || this.waiting.size === 0) return;
    // What answers typing goes before what takes long.
    const slots = [...this.waiting.keys()];
    const slot = slots.find((one) => one.startsWith('live')) ?? slots[0];
    const job = this.waiting.get(slot);
    this.waiting.delete(slot);
    job.id = this.nextID++;
    this.running = job;
    if (job.limit) job.timer = setTimeout(() => this.stop('it took too long'), job.limit);
    this.worker.postMessage({ id: job.id, request: job.request });
    this.onState(job.slot);
  }

  receive(data) {
    if (data.ready) {
      this.code = data.code ?? this.code;
      this.isReady = true;
      this.next();
      return;
    }
    const job = this.running;
    if (data.progress) {
      if (job) this.onProgress(job.slot, data.progress);
      return;
    }
    if (data.trap && !job) return this.fail(data.trap);
    if (!job || data.id !== job.id) return;
    clearTimeout(job.timer);
    this.running = null;
    this.onState(null);
    if (data.trap) {
      this.restart();
      job.resolve({ value: { error: `the engine stopped (${data.trap}); it was started anew. ` +
        'This is a defect of rules-check: please report it with these rules.' }, text: '', milliseconds: 0 });
      return;
    }
    job.resolve({ value: JSON.parse(data.text), text: data.text, milliseconds: data.milliseconds });
    this.next();
  }

  /// Ends what is running; without a reason nobody is told.
  stop(reason) {
    const job = this.running;
    if (!job) return;
    clearTimeout(job.timer);
    this.running = null;
    this.restart();
    this.onState(null);
    job.resolve(reason
      ? { value: { error: `${reason}; nothing is concluded from that` }, text: '', milliseconds: 0 } : null);
  }

  /// Forgets what was asked for a slot; whether there was anything.
  drop(slot) {
    const waits = this.waiting.get(slot);
    this.waiting.delete(slot);
    waits?.resolve(null);
    const runs = this.running?.slot === slot;
    if (runs) this.stop();
    return runs || Boolean(waits);
  }

  restart() {
    // What it has said already is about nothing any more.
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    this.begin();
  }

  fail(message) {
    this.broken = { value: { error: `this browser cannot run the engine: ${message}` }, text: '', milliseconds: 0 };
    const jobs = [this.running, ...this.waiting.values()].filter(Boolean);
    this.running = null;
    this.waiting.clear();
    for (const job of jobs) job.resolve(this.broken);
    this.onState(null);
  }
}
