import { setPriority } from 'node:os'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { type Engine, newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core'
import { PRELUDE } from './prelude.server.ts'
import { type Answer, type Job, MAX_ANSWER, PRIORITY } from './script.server.ts'

/**
 * The program of the process in which scripts run: JavaScript interpreted by QuickJS within WebAssembly, without anything
 * of Node in reach. One script at a time, each in a fresh engine; whoever started this process ends it when a script holds it.
 */
const STACK_BYTES = 256 * 1024
/** What the engine puts before the body of a function that is made from text. */
const LINES_BEFORE = 2

setPriority(PRIORITY)
const realNow = Date.now
const engine = await newQuickJSWASMModuleFromVariant(variant)
// The first script would otherwise pay for what the engine does once.
answerTo(engine, { code: '', input: '{"facts":{}}', nowMs: 0, limits: { cpuMs: 10_000, memoryBytes: 2 ** 24 } })
process.on('message', (job: Job) => {
  const answer = answerTo(engine, job)
  process.send?.(answer, () => {
    // An engine that broke may have broken for the next script too.
    if (answer.error?.code === 'crashed') process.exit(1)
  })
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

function answerTo(module: Engine, job: Job): Answer {
  const began = process.cpuUsage()
  const usedMs = () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  }
  // The engine asks the process for the time, and seeds its chance by it: the same script answers the same, whenever it runs.
  Date.now = () => job.nowMs
  try {
    return { ...evaluated(module, job, usedMs), ms: usedMs() }
  } catch (error) {
    return { error: { code: 'crashed', message: String(error).slice(0, 200) }, ms: usedMs() }
  } finally {
    Date.now = realNow
  }
}

function evaluated(module: Engine, job: Job, usedMs: () => number): Omit<Answer, 'ms'> {
  const runtime = module.newRuntime()
  runtime.setMemoryLimit(job.limits.memoryBytes)
  runtime.setMaxStackSize(STACK_BYTES)
  // What the engine takes to stand is not the script's.
  let free = usedMs()
  runtime.setInterruptHandler(() => usedMs() - free > job.limits.cpuMs)
  const context = runtime.newContext()
  try {
    const program = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'))
    const [code, input] = [context.newString(job.code), context.newString(job.input)]
    free = usedMs()
    const result = context.callFunction(program, context.undefined, code, input)
    const answer = result.error ? failed(context.dump(result.error)) : told(context.getString(result.value))
    for (const handle of [program, code, input, result.error ?? result.value]) handle?.dispose()
    return answer
  } finally {
    context.dispose()
    runtime.dispose()
  }
}

const told = (text: string): Omit<Answer, 'ms'> =>
  text.length > MAX_ANSWER ? { error: { code: 'too-large', message: `${MAX_ANSWER}` } } : { output: text }

/** Whatever a script throws, a getter that throws included, is told as text. */
function failed(thrown: unknown): Omit<Answer, 'ms'> {
  const { name, message, stack } = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: thrown }
  ) as Record<string, unknown>
  const text = `${typeof name === 'string' ? `${name}: ` : ''}${typeof message === 'string' ? message : 'thrown'}`
  const code =
    text === 'InternalError: interrupted' ? 'time' : text === 'InternalError: out of memory' ? 'memory' : 'script'
  const line = typeof stack === 'string' ? /<input>:(\d+)/.exec(stack)?.[1] : undefined
  const at = line === undefined ? {} : { line: Math.max(1, Number(line) - LINES_BEFORE) }
  return { error: { code, message: text.slice(0, 500), ...at } }
}
