// Three processes of which each acts every twenty seconds, and a worker that has an environment of its own.
const cluster = require('node:cluster')
const { Worker, isMainThread } = require('node:worker_threads')

const started = Date.now()
const act = (name) => setInterval(() => console.log(name, Date.now() - started), 20_000)
if (cluster.isPrimary && isMainThread) {
  const { stdin } = process
  new Worker(__filename, { env: {} }).on('exit', () => {
    act('primary')
    const fork = (n) => n < 3 && cluster.fork().on('online', () => fork(n + 1))
    fork(1)
    stdin.resume()
  })
} else if (isMainThread) {
  act(`worker ${cluster.worker.id}`)
  setImmediate(() => console.log('ready')) // a process is known when its event loop has begun
}
