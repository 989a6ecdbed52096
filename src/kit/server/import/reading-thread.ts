import { Worker } from 'node:worker_threads'

/** A file made to unfold ends the thread and not the server. */
const MAX_THREAD_MB = 256
/** A file is read when it is sent, checked and run, often within seconds; starting a thread costs more than reading most files. */
const IDLE_MS = 10_000

let idle: { readonly worker: Worker; leave(): void } | undefined

/** A thread of reading-worker.ts that reads nothing now. */
export function takeThread(): Worker {
  if (!idle) {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_THREAD_MB }
    return new Worker(new URL('./reading-worker.ts', import.meta.url), { resourceLimits })
  }
  const { worker, leave } = idle
  leave()
  worker.ref()
  return worker
}

/** Keeps a thread that has read its file to the end for the next one, for a while. One that was broken off is ended instead. */
export async function giveBackThread(worker: Worker, isDone: boolean): Promise<void> {
  if (!isDone || idle) {
    await worker.terminate()
    return
  }
  const end = () => {
    leave()
    void worker.terminate()
  }
  const clock = setTimeout(end, IDLE_MS).unref()
  const leave = () => {
    clearTimeout(clock)
    worker.off('error', end).off('exit', leave)
    idle = undefined
  }
  worker.on('error', end).on('exit', leave)
  worker.unref()
  idle = { worker, leave }
}
