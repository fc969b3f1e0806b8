// Answers each line {now, stretches, width, asked} with the pieces of the scale, what is asked as places and back, and names.
import { createInterface } from "node:readline";
import { ticks } from "./calendar.js";
import { folded } from "./folding.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { now, stretches, width, asked } = JSON.parse(line);
  const scale = folded(now, stretches, width);
  const places = asked.map((at) => scale.x(at));
  process.stdout.write(`${JSON.stringify({ pieces: scale.pieces, present: scale.x(now), places, back: places.map((x) => scale.value(x)), names: ticks(scale, now) })}\n`);
}
