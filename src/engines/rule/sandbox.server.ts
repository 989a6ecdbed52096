import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { orAborted } from './scope.server.ts'
import { type Answer, type Job, MAX_CODE, MAX_INPUT, ScriptError, type ScriptLimits } from './script.server.ts'

export type Script = {
  readonly code: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
  readonly now: Date
  readonly signal?: AbortSignal
}
type ScriptAnswer = {
  readonly answer: unknown
  /** What it put aside by `defaultContext.setData`. */
  readonly changes: Readonly<Record<string, unknown>>
  readonly ms: number
}
export type Sandbox = {
  /** Runs a script in its turn. Refuses with a ScriptError. */
  readonly run: (script: Script) => Promise<ScriptAnswer>
  readonly close: () => void
}

type SandboxLimits = ScriptLimits & {
  /** By the clock: a script in which the engine itself is busy is ended with its process. */
  readonly wallMs: number
  readonly waiting: number
}
const LIMITS: SandboxLimits = { cpuMs: 100, memoryBytes: 16 * 1024 * 1024, wallMs: 2_000, waiting: 200 }
/** A process of low priority takes its time to start where others work. */
const START_MS = 60_000
/** WebAssembly gives no memory back: after so many scripts a fresh process takes over. */
const SCRIPTS_A_PROCESS = 500

type Waiting = { readonly job: Job; readonly signal: AbortSignal | undefined; readonly end: (answer: Answer) => void }

/**
 * One process for scripts, started with the first of them and again whenever it ends. It knows nothing of this one: no
 * environment, no files but its own code, no processes or threads (Node's permission model around an engine that has none of them).
 */
export function openSandbox(given: Partial<SandboxLimits> = {}): Sandbox {
  const limits = { ...LIMITS, ...given }
  const queue: Waiting[] = []
  let [child, served, isBusy, isClosed]: [Child | undefined, number, boolean, boolean] = [undefined, 0, false, false]

  async function serveNext(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (next.signal?.aborted) continue
      if (served >= SCRIPTS_A_PROCESS) child?.end()
      if (!child?.isAlive()) [child, served] = [startChild(), 0]
      served += 1
      next.end(await child.answer(next.job, limits.wallMs))
    }
    isBusy = false
  }

  return {
    run: async ({ code, facts, meta = {}, now, signal }) => {
      const input = JSON.stringify({ facts, meta })
      if (code.length > MAX_CODE || input.length > MAX_INPUT) turnAway('too-large', `${MAX_CODE}, ${MAX_INPUT}`)
      if (isClosed || queue.length >= limits.waiting) turnAway('busy', `${limits.waiting}`)
      const turn = new Promise<Answer>(resolve => {
        queue.push({ job: { code, input, nowMs: now.getTime(), limits }, signal, end: resolve })
        void serveNext()
      })
      const answer = await (signal ? orAborted(turn, signal) : turn)
      if (answer.error) throw new ScriptError(answer.error)
      return { ...(JSON.parse(answer.output ?? '{}') as Omit<ScriptAnswer, 'ms'>), ms: answer.ms }
    },
    close: () => {
      isClosed = true
      for (const waiting of queue.splice(0)) waiting.end(crashed('closed'))
      child?.end()
    },
  }
}

let [ofEvents, ofTrials]: (Sandbox | undefined)[] = []
/** The one that all scripts share which an event asks. */
export function sandboxOfEvents(): Sandbox {
  ofEvents ??= openSandbox()
  return ofEvents
}
/** And that of whatever people try: it may be as slow as it likes, and takes no time from a chain that has to decide. */
export function sandboxOfTrials(): Sandbox {
  ofTrials ??= openSandbox()
  return ofTrials
}

const crashed = (message: string): Answer => ({ error: { code: 'crashed', message }, ms: 0 })
function turnAway(code: 'busy' | 'too-large', message: string): never {
  throw new ScriptError({ code, message })
}

type Child = {
  readonly answer: (job: Job, wallMs: number) => Promise<Answer>
  readonly isAlive: () => boolean
  readonly end: () => void
}

function startChild(): Child {
  const process = spawnChild()
  const ready = messageOf(process, START_MS)
  const isAlive = () => process.exitCode === null && process.signalCode === null && !process.killed && process.connected
  const end = () => void process.kill('SIGKILL')
  return {
    isAlive,
    end,
    answer: async (job, wallMs) => {
      hold(process, true)
      try {
        if ((await ready) !== 'ready') return crashed('not started')
        process.send(job, () => undefined)
        const told = await messageOf(process, wallMs)
        return (
          (told as Answer | undefined) ?? {
            error: { code: process.killed ? 'time' : 'crashed', message: `${wallMs} ms` },
            ms: wallMs,
          }
        )
      } finally {
        hold(process, false)
      }
    },
  }
}

/** The next message, or nothing when the time is up or the process has ended; one that is late is ended. */
function messageOf(process: ChildProcess, ms: number): Promise<unknown> {
  return new Promise(resolve => {
    const timer = setTimeout(() => done(undefined), ms)
    const onExit = () => done(undefined)
    function done(message: unknown): void {
      clearTimeout(timer)
      process.off('message', done).off('exit', onExit).off('error', onExit)
      resolve(message)
      if (message === undefined && process.exitCode === null && process.signalCode === null) process.kill('SIGKILL')
    }
    process.once('message', done).once('exit', onExit).once('error', onExit)
  })
}

/** While nobody waits for a script, its process keeps nobody from ending. */
function hold(process: ChildProcess, isHeld: boolean): void {
  const word = isHeld ? 'ref' : 'unref'
  process[word]()
  process.channel?.[word]()
}

const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const PROGRAM = place('./sandbox-child.server.ts')
/** All that it may read: its own few files, the engine, and what says how they are to be loaded. */
const READS = [
  place('./'),
  ...['../../../package.json', 'quickjs-emscripten-core', '@jitl'].map(name =>
    place(name.startsWith('.') ? name : `../../../node_modules/${name}`),
  ),
]

function spawnChild(): ChildProcess {
  const child = fork(PROGRAM, [], {
    env: { TZ: 'Asia/Shanghai' },
    execArgv: [
      '--permission',
      ...READS.map(path => `--allow-fs-read=${path}`),
      '--max-old-space-size=96',
      '--no-warnings',
    ],
    stdio: 'ignore',
    serialization: 'json',
  })
  child.on('error', () => undefined)
  hold(child, false)
  return child
}
