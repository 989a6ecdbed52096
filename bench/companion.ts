import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endChild, remember } from './child.ts'

/** A program of the bench in a process of its own, which answers one question at a time. */
export type Companion = AsyncDisposable & {
  readonly pid: number
  ask<Answer>(question: object, withinMs?: number): Promise<Answer>
}

type Reply = { readonly answer?: unknown; readonly error?: string }

const ANSWER_MS = 60_000
const STOP_MS = 3_000

/** `file` stands beside this one. */
export function startCompanion(
  file: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Companion {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: [...flags],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  remember(child)
  return {
    pid: child.pid ?? 0,
    ask<Answer>(question: object, withinMs = ANSWER_MS): Promise<Answer> {
      return new Promise<Answer>((resolve, reject) => {
        const settle = (reply: Reply) => {
          clearTimeout(late)
          child.off('exit', ended)
          child.off('message', settle)
          if (reply.error === undefined) resolve(reply.answer as Answer)
          else reject(new Error(`${file}: ${reply.error}`))
        }
        const ended = () => settle({ error: 'ended before it answered' })
        const late = setTimeout(() => settle({ error: `no answer within ${withinMs} ms` }), withinMs)
        child.on('exit', ended)
        child.on('message', settle)
        child.send(question, error => error && settle({ error: error.message }))
      })
    },
    [Symbol.asyncDispose]: () => endChild(child, STOP_MS),
  }
}

/** The companion's side. It ends with whoever asks. */
export function answerQuestions<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('message', async question => {
    try {
      process.send?.({ answer: await answer(question as Question) })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.message : String(error) })
    }
  })
  process.on('disconnect', () => process.exit())
}
