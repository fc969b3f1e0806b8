// Loaded into each Node process of an app whose time follows a world (NODE_OPTIONS): its `Date`, `performance.timeOrigin`
// and timers. The hub of giftsim (node_clocks.py has the protocol) tells the time; when a process starts, and after it has
// waited for another program, the file that libfaketime reads does.
'use strict';
const childProcess = require('node:child_process');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');
const vm = require('node:vm');

const { GIFTSIM_APP_CLOCK_FILE: file, GIFTSIM_APP_CLOCK_HUB: at } = process.env;
if (!file || !at) return; // a worker with an environment of its own
const [port, key] = at.split(':');
const RealDate = Date;
const { clearTimeout, setTimeout } = globalThis; // the real ones
const AHEAD_MS = 2000; // real time in which the world follows a process that went on by itself; then it has stopped
const isVitest = process.env.VITEST !== undefined;
const elapsed = performance.now.bind(performance);

const clock = {
  at: RealDate.now(), // ms since 1970, at `since`
  since: elapsed(),
  rate: 0, // by which it goes on; 0 when it stands
  now: () => (clock.rate ? Math.floor(clock.at + (elapsed() - clock.since) * clock.rate) : clock.at),
  set(at, rate) {
    Object.assign(clock, { at, rate, since: elapsed() });
  },
};
readTime();

const timers = require('./timers.cjs')(clock);
const calls = require('./calls.cjs')();

/** Take the time from the file, which has unix seconds, or the seconds to add to real time. */
function readTime() {
  let text;
  try {
    text = fs.readFileSync(file, 'latin1');
  } catch {
    return; // the command ends
  }
  const seconds = Number.parseFloat(text);
  if (Number.isNaN(seconds)) return;
  if (/^[+-]/.test(text)) clock.set(RealDate.now() + seconds * 1000, 1);
  else clock.set(Math.round(seconds * 1000), clock.rate === 1 ? 0 : clock.rate);
}

/** Vitest takes from `Date.now` how long a test has run, which is real time. */
function nowForVitest() {
  return timers.isReal(nowForVitest) ? RealDate.now() : clock.now();
}

function MovedDate(...given) {
  if (!new.target) return new RealDate(clock.now()).toString();
  return Reflect.construct(RealDate, given.length ? given : [clock.now()], new.target);
}
Object.setPrototypeOf(MovedDate, RealDate);
Object.defineProperties(MovedDate, {
  name: { value: 'Date' },
  length: { value: 7 },
  prototype: { value: RealDate.prototype, writable: false },
  now: { value: isVitest ? nowForVitest : () => clock.now(), writable: true, configurable: true },
});
Object.defineProperty(RealDate.prototype, 'constructor', { value: MovedDate, writable: true, configurable: true });
Object.defineProperty(globalThis, 'Date', { value: MovedDate, writable: true, configurable: true });
Object.defineProperty(performance, 'timeOrigin', { configurable: true, enumerable: true, get: () => clock.now() - elapsed() });

// A context of its own has its own Date, as tests of Jest have.
const { createContext } = vm;
vm.createContext = function (...given) {
  const context = createContext(...given);
  try {
    vm.runInContext(
      `((clock, now) => {
        const RealDate = Date;
        globalThis.Date = class Date extends RealDate {
          constructor(...given) { given.length ? super(...given) : super(clock.now()); }
        };
        Date.now = now;
      })`,
      context,
    )(clock, MovedDate.now);
  } catch {
    // a context without code from strings keeps its own
  }
  return context;
};

// While this process waits for a program, it cannot act; afterwards the time may be another.
for (const name of ['execSync', 'execFileSync', 'spawnSync']) {
  const original = childProcess[name];
  childProcess[name] = function (...given) {
    send({ blocked: true });
    try {
      return original.apply(this, given);
    } finally {
      send({ blocked: false });
      readTime();
      queue = queue.then(() => timers.runDue(calls.quiet));
    }
  };
}
syncBuiltinESMExports();

let queue = Promise.resolve();
let rest = '';
let isTold = false;
let watch;
const hub = net.connect({ host: '127.0.0.1', port: Number(port) });
hub.unref().setNoDelay().setEncoding('latin1').on('error', () => {});
hub.on('data', (data) => {
  const lines = (rest + data).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    if (message.n) timers.hold();
    queue = queue.then(() => take(message));
  }
});
calls.leave(hub);
send({ key, pid: process.pid });

function send(message) {
  if (!hub.destroyed) hub.write(`${JSON.stringify(message)}\n`);
}

/** Do what the hub says. */
async function take({ n, now, acts, upto, rate }) {
  if (rate !== undefined) {
    if (rate && !isTold) readTime(); // time went on since this process started
    isTold = true;
    clock.set(clock.now(), rate);
    timers.arm();
    return;
  }
  isTold = true;
  clearTimeout(watch);
  clock.set(now, clock.rate);
  timers.hold();
  calls.setAhead(false);
  const open = acts ? await timers.runDue(calls.quiet) : [];
  let ahead;
  if (upto > now && !clock.rate) {
    ahead = await timers.runAhead(upto, calls);
    watch = setTimeout(goBack, AHEAD_MS).unref();
  }
  timers.hold();
  send({ n, next: ahead ?? timers.next() ?? null, ...(open.length ? { open } : {}) });
}

/** Go back to the world's time, which has stopped before that of this process. */
function goBack() {
  readTime();
  calls.setAhead(false);
}
