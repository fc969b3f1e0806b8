// The timers of an app whose time follows a world. One is due at an instant of that time. While the time stands between two
// advances, one of up to a second also ends after its real time, so that whoever waits for a moment goes on.
'use strict';
const { AsyncResource } = require('node:async_hooks');
const timers = require('node:timers');
const promises = require('node:timers/promises');
const { promisify } = require('node:util');

const real = { setTimeout, setInterval, clearTimeout, clearInterval, setImmediate };
const AT_ONCE_MS = 1; // a timer of 0 or 1 ms is for the next turn, and real
const SHORT_MS = 1000;
const HOLD_MS = 250; // real time after a message of the hub in which only the world's time ends a timer
const AHEAD_MS = 1000; // real time in which timers run by themselves
const LONGEST_MS = 2 ** 31 - 1;
const FIRST_ID = 2 ** 40; // ids of real timers are smaller
// Time-outs of sockets and of tests stay real: timers that these set themselves.
const OF_SOCKETS = 'undici|axios|got|ky|node-fetch|superagent|request|needle|@grpc|pg|pg-pool|mysql2?|mariadb|ioredis|redis|@redis|mongodb|@smithy|@aws-sdk|ws|giftsim';
const OF_TESTS = 'vitest|@vitest|vite|vite-node|tinypool|jest[^/\\\\]*|@jest|mocha|ava|tap|@tapjs|@playwright|playwright[^/\\\\]*|puppeteer[^/\\\\]*';
const REAL = new RegExp(`^node:|[/\\\\]node_modules[/\\\\](${OF_SOCKETS}|${OF_TESTS})[/\\\\]`);

module.exports = (clock) => {
  const heap = []; // by instant, then in the order in which they were set
  const byId = new Map();
  let serial = 0;
  let heldUntil = 0;
  let referenced = 0;
  const soon = new Set(); // real timers for the next turn
  const keeper = real.setInterval(() => {}, 2 ** 30); // keeps the process while a timer does
  keeper.unref();

  const isBefore = (one, other) => one.due < other.due || (one.due === other.due && one.serial < other.serial);

  function push(timer) {
    let n = heap.push(timer) - 1;
    while (n && isBefore(timer, heap[(n - 1) >> 1])) {
      heap[n] = heap[(n - 1) >> 1];
      n = (n - 1) >> 1;
    }
    heap[n] = timer;
  }

  function pop() {
    const first = heap[0];
    const last = heap.pop();
    if (!heap.length) return first;
    let n = 0;
    for (let child = 1; child < heap.length; child = 2 * n + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
      if (!isBefore(heap[child], last)) break;
      heap[n] = heap[child];
      n = child;
    }
    heap[n] = last;
    return first;
  }

  /** The entry of the earliest timer; entries of timers that were set anew or cleared are left out. */
  function peek() {
    while (heap.length && heap[0].timer.entry !== heap[0]) pop();
    return heap[0];
  }

  function count(by) {
    referenced += by;
    if (referenced) keeper.ref();
    else keeper.unref();
  }

  class Timeout extends AsyncResource {
    constructor(callback, delay, given, repeats) {
      super('Timeout');
      Object.assign(this, { callback, delay, given, repeats, entry: null, real: undefined, isReferenced: true });
      this.start(clock.now() + delay);
    }

    start(due) {
      if (!this.entry && this.isReferenced) count(1);
      serial += 1;
      this.entry = { due, serial, timer: this };
      push(this.entry);
      this.arm();
    }

    /** Let real time end it too, where it does. */
    arm() {
      real.clearTimeout(this.real);
      const { rate } = clock;
      if (!this.entry || (!rate && this.delay > SHORT_MS)) return;
      const wait = rate ? (this.entry.due - clock.now()) / rate : this.delay;
      this.real = real.setTimeout(() => this.end(), Math.min(Math.max(wait, 1), LONGEST_MS)).unref();
    }

    end() {
      const held = heldUntil - performance.now();
      if (held > 0) this.real = real.setTimeout(() => this.end(), held).unref();
      else if (clock.rate && this.entry && clock.now() < this.entry.due) this.arm();
      else this.run();
    }

    run() {
      if (!this.entry) return;
      const { due } = this.entry;
      const next = Math.min(due, clock.now()) + this.delay;
      if (this.repeats) this.start(next > clock.now() ? next : clock.now() + this.delay);
      else this.stop();
      this.runInAsyncScope(this.callback, this, ...this.given);
    }

    stop() {
      if (this.entry && this.isReferenced) count(-1);
      this.entry = null;
      real.clearTimeout(this.real);
      byId.delete(this.id);
    }

    close() {
      this.stop();
      return this;
    }

    refresh() {
      if (this.entry || !this.repeats) this.start(clock.now() + this.delay);
      return this;
    }

    ref() {
      if (this.entry && !this.isReferenced) count(1);
      this.isReferenced = true;
      return this;
    }

    unref() {
      if (this.entry && this.isReferenced) count(-1);
      this.isReferenced = false;
      return this;
    }

    hasRef() {
      return this.isReferenced;
    }

    [Symbol.toPrimitive]() {
      this.id ??= FIRST_ID + serial;
      if (this.entry) byId.set(this.id, this);
      return this.id;
    }
  }
  if (Symbol.dispose) Timeout.prototype[Symbol.dispose] = Timeout.prototype.close;

  const delayOf = (delay) => {
    const number = Math.trunc(Number(delay));
    return number >= 1 && number <= LONGEST_MS ? number : 1;
  };

  /** Whether the code that called `by` is a part of Node, or of a library whose timers are real. */
  function isReal(by) {
    const { stackTraceLimit, prepareStackTrace } = Error;
    const holder = {};
    try {
      Error.stackTraceLimit = 1;
      Error.prepareStackTrace = (_, sites) => sites[0]?.getFileName() ?? '';
      Error.captureStackTrace(holder, by);
      return REAL.test(holder.stack);
    } catch {
      return false;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      Error.prepareStackTrace = prepareStackTrace;
    }
  }

  function atOnce(callback, delay, given) {
    const timer = real.setTimeout((...all) => {
      soon.delete(timer);
      callback(...all);
    }, delay, ...given);
    soon.add(timer);
    return timer;
  }

  function setTimeout(callback, delay, ...given) {
    if (typeof callback !== 'function' || isReal(setTimeout)) return real.setTimeout(callback, delay, ...given);
    const ms = delayOf(delay);
    return ms <= AT_ONCE_MS ? atOnce(callback, ms, given) : new Timeout(callback, ms, given, false);
  }

  function setInterval(callback, delay, ...given) {
    const ms = delayOf(delay);
    if (typeof callback !== 'function' || ms <= AT_ONCE_MS || isReal(setInterval)) return real.setInterval(callback, delay, ...given);
    return new Timeout(callback, ms, given, true);
  }

  function clear(timer) {
    const own = timer instanceof Timeout ? timer : byId.get(Number(timer));
    if (own) return own.stop();
    soon.delete(timer);
    return real.clearTimeout(timer);
  }

  function wait(delay, value, options = {}) {
    const ms = delayOf(delay);
    if (ms <= AT_ONCE_MS) return realWait(delay, value, options);
    return new Promise((resolve, reject) => {
      const { signal } = options ?? {};
      const abort = () => {
        timer.close();
        reject(Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' }));
      };
      const timer = new Timeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      }, ms, [], false);
      if (options?.ref === false) timer.unref();
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  async function* repeat(delay, value, options) {
    for (;;) {
      await wait(delay, undefined, options);
      yield value;
    }
  }

  const { setTimeout: realWait, setInterval: realRepeat } = promises;
  promises.setTimeout = function sleep(delay, ...given) {
    return (isReal(sleep) ? realWait : wait)(delay, ...given);
  };
  promises.setInterval = function each(delay, ...given) {
    return (isReal(each) ? realRepeat : repeat)(delay, ...given);
  };
  if (promises.scheduler) promises.scheduler.wait = (delay, options) => wait(delay, undefined, options);
  setTimeout[promisify.custom] = promises.setTimeout;
  const replaced = { setTimeout, setInterval, clearTimeout: clear, clearInterval: clear };
  Object.assign(timers, replaced);
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  }

  const turn = (act) => new Promise((resolve) => real.setImmediate(() => {
    resolve();
    act?.(); // what it throws ends the process, as elsewhere
  }));

  /** Run what is due, in order, until nothing more is and `quiet()` says that all is answered; what is still open. */
  async function runDue(quiet) {
    let open;
    do {
      for (let first; (first = peek()) && first.due <= clock.now(); ) await turn(() => first.timer.entry === first && first.timer.run());
      for (let turns = 0; soon.size && turns < 100; turns += 1) await new Promise((resolve) => real.setTimeout(resolve, 1));
      open = await quiet();
    } while (peek()?.due <= clock.now());
    return open;
  }

  /** Run what is due before `upto`, each at its own time, until a call waits for the world. */
  async function runAhead(upto, calls) {
    const began = performance.now();
    calls.setAhead(true);
    for (let first; (first = peek()) && first.due < upto && performance.now() - began < AHEAD_MS; ) {
      clock.set(first.due, 0);
      await turn(() => first.timer.entry === first && first.timer.run());
      await turn();
      await turn();
      if (soon.size || !calls.isQuiet()) await runDue(calls.quiet);
      if (calls.isHeld()) return clock.now();
    }
    calls.setAhead(false);
    return undefined;
  }

  /** The instant of the next timer. An interval that does not keep the process asks for none. */
  function next() {
    const asks = (entry) => entry && entry.timer.entry === entry && (entry.timer.isReferenced || !entry.timer.repeats);
    const first = peek();
    if (!first || asks(first)) return first?.due;
    const all = heap.filter(asks).map(({ due }) => due);
    return all.length ? all.reduce((one, other) => Math.min(one, other)) : undefined;
  }

  function arm() {
    for (const { timer } of heap) timer.arm();
  }

  return { isReal, runDue, runAhead, next, arm, hold: () => (heldUntil = performance.now() + HOLD_MS) };
};
