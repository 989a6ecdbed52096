import { Worker } from 'node:worker_threads'
import type { Answer, Question } from './answering.server.ts'

/** What a page needs is a tenth of it; whatever asks for more ends the thread and not the server. */
const MAX_THREAD_MB = 256
/** A page takes a second of a core; on cores that are very busy ten. */
const PAGE_MS = 30_000
/** Works come in bursts, and starting a thread costs as much as half a page. */
const IDLE_MS = 30_000
/** Pages that wait for their turn: whoever brings more is told to come again. */
const MOST_WAITING = 30

let idle: { readonly worker: Worker; readonly clock: NodeJS.Timeout } | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** One page after another, on one core beside the server's own. */
export async function askThread(question: Question, pageMs = PAGE_MS): Promise<Answer> {
  if (waiting >= MOST_WAITING) return { fault: 'busy' }
  waiting += 1
  const turn = last.then(() => askNow(question, pageMs))
  last = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    waiting -= 1
  }
}

function takeWorker(): Worker {
  if (!idle) {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_THREAD_MB }
    return new Worker(new URL('./answering.server.ts', import.meta.url), { resourceLimits, name: 'handwriting' })
  }
  const { worker, clock } = idle
  clearTimeout(clock)
  idle = undefined
  worker.ref()
  return worker
}

function keepWorker(worker: Worker): void {
  worker.unref()
  const clock = setTimeout(() => {
    idle = undefined
    void worker.terminate()
  }, IDLE_MS).unref()
  idle = { worker, clock }
}

async function askNow(question: Question, pageMs: number): Promise<Answer> {
  const worker = takeWorker()
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const late = setTimeout(() => resolve({ fault: 'too-slow' }), pageMs)
  const broke = () => resolve({ fault: 'unreadable' })
  worker.on('message', resolve).on('error', broke).on('exit', broke)
  worker.postMessage(question)
  const answer = await promise
  clearTimeout(late)
  worker.off('message', resolve).off('exit', broke)
  // One that was broken off may still be at work, or gone.
  if ('fault' in answer && (answer.fault === 'too-slow' || answer.fault === 'unreadable')) await worker.terminate()
  else keepWorker(worker)
  worker.off('error', broke)
  return answer
}
