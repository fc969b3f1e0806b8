// Makes one POST with axios, and prints the status and the body.
import axios from 'axios';

const [url, body] = process.argv.slice(2);
const settings = { headers: { 'Content-Type': 'application/json' }, transformResponse: [], validateStatus: () => true };
const response = await axios.post(url, body, settings);
console.log(response.status, response.data);
