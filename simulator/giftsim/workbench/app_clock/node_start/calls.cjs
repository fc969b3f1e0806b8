// What this process waits for: calls that it made or got and that are not answered, files, names, databases.
'use strict';
const channels = require('node:diagnostics_channel');
const net = require('node:net');

const { setImmediate, setTimeout } = globalThis; // the real ones
const OF_GIFTSIM = /^(https?:\/\/[^/]+)?\/_sim\//; // the test-control API, whose calls advance the clock
const HTTP = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT) \S/;
const OPERATIONS = /Req|(Connect|Write|Shutdown|Send)Wrap|Immediate/; // of libuv, and what comes next
const CALM_TURNS = 3; // of the event loop
const SPIN_TURNS = 200; // then each takes a millisecond
const QUIET_MS = 5000; // real time; what is open then counts no more
const ANSWERED_MS = 300; // real time in which a database answers; a socket that does not is not waited for again

module.exports = () => {
  const open = new Map(); // request -> what it is
  const written = new Map(); // socket that is no HTTP -> [bytes that it had read, when]
  const left = new WeakSet(); // sockets that do not count
  const http = new WeakSet(); // sockets whose requests are known
  const clients = new WeakSet();
  let isAhead = false; // of the world, whose time has to come before a call leaves
  let held = []; // calls that wait for that

  function begin(request, text, path) {
    if (OF_GIFTSIM.test(path)) {
      open.clear(); // the handlers of what is open may wait for this call
    } else open.set(request, text);
  }
  const end = (request) => open.delete(request);

  channels.subscribe('http.client.request.start', ({ request }) => {
    begin(request, `${request.method} ${request.path}`, request.path);
    request.once('close', () => end(request));
  });
  channels.subscribe('http.server.request.start', ({ request, response }) => {
    begin(response, `${request.method} ${request.url}`, '');
    response.once('close', () => end(response));
  });
  channels.subscribe('undici:request:create', ({ request }) => begin(request, `${request.method} ${request.path}`, request.path));
  channels.subscribe('undici:request:trailers', ({ request }) => end(request));
  channels.subscribe('undici:request:error', ({ request }) => end(request));

  const { connect, _writeGeneric } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...given) {
    clients.add(this);
    if (!isAhead || left.has(this)) return connect.apply(this, given);
    this.connecting = true; // what is written meanwhile waits
    held.push(() => this.destroyed || connect.apply(this, given));
    return this;
  };
  net.Socket.prototype._writeGeneric = function (...given) {
    if (isAhead && clients.has(this) && !left.has(this) && !this.connecting) {
      held.push(() => net.Socket.prototype._writeGeneric.apply(this, given));
      return undefined;
    }
    if (clients.has(this) && !left.has(this)) {
      const chunk = given[0] ? given[1][0]?.chunk : given[1];
      if (HTTP.test(String(chunk?.slice(0, 9) ?? ''))) http.add(this);
      else if (!http.has(this)) written.set(this, [this.bytesRead, performance.now()]);
    }
    return _writeGeneric.apply(this, given);
  };

  function waitsForSocket() {
    for (const [socket, [read, since]] of written) {
      if (!socket.destroyed && socket.bytesRead <= read) {
        if (performance.now() - since < ANSWERED_MS) return true;
        left.add(socket);
      }
      written.delete(socket);
    }
    return false;
  }

  const isQuiet = () => !open.size && !waitsForSocket() && !process.getActiveResourcesInfo().some((each) => OPERATIONS.test(each));

  /** Wait until nothing is awaited; what still is after a while, and counts no more. */
  async function quiet() {
    const since = performance.now();
    for (let calm = 0, turns = 0; calm < CALM_TURNS; turns += 1) {
      await new Promise((resolve) => (turns < SPIN_TURNS ? setImmediate(resolve) : setTimeout(resolve, 1)));
      calm = isQuiet() ? calm + 1 : 0;
      if (held.length || performance.now() - since > QUIET_MS) break;
    }
    const still = !held.length && performance.now() - since > QUIET_MS ? [...open.values()] : [];
    if (still.length) open.clear();
    return still;
  }

  /** Hold calls back, or let them go. */
  function setAhead(value) {
    isAhead = value;
    if (isAhead) return;
    const due = held;
    held = [];
    for (const call of due) call();
  }

  return { quiet, isQuiet, setAhead, isHeld: () => held.length > 0, leave: (socket) => left.add(socket) };
};
