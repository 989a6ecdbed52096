// Loaded before the console by --import: SIGUSR2 makes its loop stand still, and its watchdog has little patience.
import { syncBuiltinESMExports } from 'node:module'
import workers from 'node:worker_threads'

const PATIENCE_MS = 3_000

const { Worker, isMainThread } = workers
if (isMainThread) {
  workers.Worker = class extends Worker {
    constructor(file, options) {
      // Told before it is shortened: what the console itself asks for is looked at too.
      if (options?.workerData?.limitMs) console.log(`patience of the watchdog: ${options.workerData.limitMs} ms`)
      super(file, { ...options, workerData: { ...options?.workerData, limitMs: PATIENCE_MS } })
    }
  }
  syncBuiltinESMExports()
  process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
}
