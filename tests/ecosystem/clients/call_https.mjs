// Makes one POST with Node's module https, and prints the status and the body.
import http from 'node:http';
import https from 'node:https';

const [url, body] = process.argv.slice(2);
const { request } = url.startsWith('https:') ? https : http;
request(url, { method: 'POST', headers: { 'Content-Type': 'application/json' } }, async (response) => {
  console.log(response.statusCode, Buffer.concat(await response.toArray()).toString());
}).end(body);
