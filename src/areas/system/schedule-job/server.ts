import * as z from 'zod'
import { nextDue, parseCron } from '#kit/model/cron.ts'
import type { Language } from '#kit/model/language.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { type Setting, whyNotValue } from '#kit/model/setting.ts'
import type { App } from '#kit/server/app.ts'
import type { OpenWork } from '#kit/server/change/invariants.ts'
import { type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { askForRun, askToStop, setDue } from '#kit/server/work/schedule-ask.ts'
import {
  type DeclaredParameter,
  NEXT_RUNS,
  type Parameter,
  preview,
  resource,
  type ScheduleJob,
  workflow,
} from './model.ts'
import { readingOf } from './reading.model.ts'
import { child } from './runs/model.ts'

const served = serve(resource, {
  workflow,
  async store(op, input, before, write) {
    if (!parseCron(input.cron)) throw onField('cron', refuse('cron-invalid'))
    const parameters = sensible(op.app.jobs.get(before?.handler ?? '')?.parameters ?? {}, input.parameters)
    const id = await write({ ...input, parameters })
    if (before?.status === 'ENABLED' && before.cron !== input.cron) await setDue(op, id, input.cron)
    return id
  },
  named: (app, row, language) => ({
    name: wordsOf(app, row.handler, language) ?? row.name,
    cron: inWords(app, row.cron, language),
    declaredCron: inWords(app, row.declaredCron, language),
  }),
  detail: async (app, { handler, cron, status }, language) => ({
    about: wordsOf(app, handler, language, '.help') ?? '',
    nextRuns: status === 'ENABLED' ? nextRuns(cron, app.clock.now()) : [],
    declared: declaredOf(app, handler, language),
  }),
  effects: {
    runNow: (op, { id }) => askForRun(op, id),
    stop: (op, { id }) => askToStop(op, id),
    enable: (op, { id, cron }) => setDue(op, id, cron),
    disable: (op, { id }) => setDue(op, id, null),
  },
  undo: {
    enable: (op, { id }) => setDue(op, id, null),
    disable: (op, { id, cron }) => setDue(op, id, cron),
  },
})

export const routes: Routes = app => [...served(app), ...serveChild(child)(app), previewRoute(app)]

/** Each parameter the handler knows, once and within its bounds; what is left out is as the code has it. */
function sensible(declared: Readonly<Record<string, Setting>>, given: readonly Parameter[]): Parameter[] {
  const unknown = given.findIndex(
    ({ name }, at) => !Object.hasOwn(declared, name) || given.findIndex(other => other.name === name) < at,
  )
  if (unknown >= 0) throw onField(`parameters.${unknown}.name`, refuse('kit:field-no-choice'))
  for (const [at, { name, value }] of given.entries()) {
    const refusal = whyNotValue(declared[name] as Setting, value)
    if (refusal) throw onField(`parameters.${at}.value`, refusal)
  }
  return Object.entries(declared).map(([name, { default: usual }]) => ({
    name,
    value: given.find(parameter => parameter.name === name)?.value ?? usual,
  }))
}

/** What the slice that declares a job says of it; nothing of one the code no longer has. */
function wordsOf({ jobs, texts }: App, handler: string, language: Language, end = ''): string | undefined {
  const known = jobs.get(handler)
  return known && texts.text(language, known.texts, `job.${handler}${end}`)
}

function declaredOf(app: App, handler: string, language: Language): DeclaredParameter[] {
  return Object.entries(app.jobs.get(handler)?.parameters ?? {}).map(([name, { unit, min, max, default: usual }]) => ({
    ...{ name, unit, min, max, default: usual },
    label: wordsOf(app, handler, language, `.${name}`) ?? name,
  }))
}

function inWords({ texts }: App, written: ScheduleJob['cron'], language: Language): string | undefined {
  const cron = parseCron(written)
  return cron && readingOf(cron, (key, params) => texts.text(language, resource.screen.name, key, params))
}

function nextRuns(written: string, now: Date): string[] {
  const cron = parseCron(written)
  const found: string[] = []
  for (let due = cron && nextDue(cron, now); due && found.length < NEXT_RUNS; due = cron && nextDue(cron, due))
    found.push(due.toISOString())
  return found
}

/** Nobody is told of it elsewhere: a job that is off does nothing, and says nothing. */
export const openWork: readonly OpenWork[] = [
  {
    name: 'jobs that are off, or failed when they last ran',
    query: `select handler, status, last_status, last_ended_at from schedule_job
      where status = 'DISABLED' or (status = 'ENABLED' and last_status in ('FAILED', 'LOST')) order by handler`,
    say: ({ handler, status, last_status: last, last_ended_at: at }) =>
      status === 'DISABLED'
        ? `the job ${handler} is off`
        : `the job ${handler} ${last === 'LOST' ? 'was lost' : 'failed'} at ${at}`,
  },
  {
    // Once a leap year is on, and as good as off.
    name: 'jobs whose schedule people have changed',
    query: `select handler, cron, declared_cron from schedule_job
      where status = 'ENABLED' and cron <> declared_cron order by handler`,
    say: ({ handler, cron, declared_cron: usual }) =>
      `the job ${handler} runs by ${cron}, and not by ${usual} as usual`,
  },
]

const previewRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `/${resource.screen.name}/preview`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'update' },
    body: z.strictObject({ cron: z.string().max(1_000) }),
    answer: preview,
    summary: 'What a schedule means in words and when it would be due next; nothing of what is no schedule.',
    handle: async ({ language, now }, { body: { cron } }) => ({
      reading: inWords(app, cron, language) ?? null,
      nextRuns: nextRuns(cron, now),
    }),
  })
