// For each line: the wall clock before and after a real wait, and how long that was.
import { createInterface } from 'node:readline'
for await (const _ of createInterface({ input: process.stdin })) {
  const [before, begun] = [Date.now(), performance.now()]
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  const origin = Math.round(performance.timeOrigin + performance.now())
  console.log(before, new Date().getTime(), Math.round(performance.now() - begun), origin)
}
