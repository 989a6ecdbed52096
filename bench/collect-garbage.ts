// Loaded into both servers (node --expose-gc --import), so that their memory can be read after a collection.
import { writeFileSync } from 'node:fs'

process.on('SIGUSR2', () => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  if (process.env.BENCH_HEAP !== undefined) writeFileSync(process.env.BENCH_HEAP, String(heapUsed + external))
})
