// Makes one POST with Node's fetch, and prints the status and the body.
const [url, body] = process.argv.slice(2);
const response = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
console.log(response.status, await response.text());
