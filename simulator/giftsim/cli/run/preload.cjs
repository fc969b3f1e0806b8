// Loaded into each Node process of `giftsim run` (NODE_OPTIONS), because Node's fetch and its modules http and https do not
// read proxy variables. A connection to a routed host goes to the proxy of the command; to other hosts of the network none
// goes.
'use strict';
const net = require('node:net');

const { proxy, hosts, others } = JSON.parse(process.env.GIFTSIM_ROUTES);
const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function (...args) {
  const isNormalized = Array.isArray(args[0]);
  const given = isNormalized ? args[0][0] : args[0];
  const options = given !== null && typeof given === 'object' ? given : { port: given, host: args[1] };
  const host = String(options.host ?? '').toLowerCase().replace(/\.$/, '');
  if (options.path || isThisMachine(host) || typeof given === 'string') return connect.apply(this, args);
  if (!hosts.includes(host)) {
    if (others === 'pass') return connect.apply(this, args);
    return refuse(this, `${host}:${options.port}`);
  }
  const routed = { ...options, host: '127.0.0.1', port: proxy, lookup: undefined };
  if (!isNormalized) return connect.call(this, routed, ...args.filter((each) => typeof each === 'function'));
  const copy = [routed, ...args[0].slice(1)];
  for (const symbol of Object.getOwnPropertySymbols(args[0])) copy[symbol] = args[0][symbol];
  return connect.call(this, copy, ...args.slice(1));
};

function isThisMachine(host) {
  return host === '' || host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/** Fail as a connection does that is refused, and let the summary of the run count it. */
function refuse(socket, target) {
  const text = `giftsim run did not call ${target}; name it with --route, or pass all others with --others pass`;
  const error = Object.assign(new Error(text), { code: 'ECONNREFUSED' });
  socket.connecting = true; // what is written meanwhile waits, and fails with the error
  const note = connect.call(new net.Socket(), { host: '127.0.0.1', port: proxy });
  note.on('error', () => {}).on('close', () => socket.destroy(error)).resume();
  note.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  return socket;
}
