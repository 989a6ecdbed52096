import type { Language } from '#kit/model/language.ts'
import type { Refusal } from '#kit/model/refusal.ts'
import { dueAfter, type Waiting } from '#kit/model/waiting.ts'
import { WRONG_STATE, whyNot } from '#kit/model/workflow.ts'
import type { WorkingHours } from '#kit/model/working-time.ts'
import type { App } from '../app.ts'
import type { Row } from '../database/database.ts'
import type { ReadRow } from '../list/select.ts'
import { inWords } from '../text/in-words.ts'
import { ask, defineQuestion } from './question.ts'
import type { Served } from './rules.ts'

/** When these people work; of whom nobody knows that, it is not said. */
export const workingHoursOf = defineQuestion<
  { readonly staffIds: readonly string[] },
  ReadonlyMap<string, WorkingHours>
>('working-hours')

/** Whose time counts for rows that wait, by the field of the clock that names them. */
export type Hours = ReadonlyMap<string, WorkingHours>
export async function hoursOf(app: App, { clock }: Served['resource'], rows: readonly Row[]): Promise<Hours> {
  const { whose } = clock ?? {}
  const named = whose === undefined ? [] : rows.flatMap(row => (row[whose] as string | null) ?? [])
  return named.length === 0 ? new Map() : ask(app, workingHoursOf, { staffIds: [...new Set(named)] })
}

/** Somebody who had no part in the record: what is open to him is open to a colleague. */
const ANYBODY = { id: '0' }

/**
 * Whom a record waits for, told by the guards of the steps that wait: the first one that somebody could take now. Guards
 * that tell people apart are asked with a person who had no part in it, or with the one person it waits for. Where the state asks
 * for a step that a rule keeps closed to everybody, it says why: it waits all the same.
 */
export function waitingOf(
  { app, resource, rules }: Pick<Served, 'app' | 'resource' | 'rules'>,
  row: ReadRow,
  { facts, hours, language }: { facts: unknown; hours: Hours; language: Language },
): Waiting | null {
  const { workflow } = rules
  const field = workflow?.field
  if (!workflow || field == null) return null
  const state = String(row[field])
  const say = (key: string) => app.texts.text(language, resource.screen.name, key)
  const told = (step: string | null, who: string): Waiting => ({
    field,
    step,
    who,
    ...clockOf(resource, row, state, hours),
  })
  let blocked: { step: string; refusal: Refusal } | null = null
  for (const [name, { awaits, of }] of Object.entries(workflow.steps)) {
    if (!awaits) continue
    const person = of === null ? null : (row[of] as string | null)
    const refusal = whyNot(workflow, name, row, person === null ? ANYBODY : { id: person }, facts)
    if (refusal) {
      if (refusal.code !== WRONG_STATE) blocked ??= { step: name, refusal }
      continue
    }
    const label = of === null ? undefined : row.labels[of]
    if (!label) return told(name, say(`awaits.${name}`))
    const who = app.texts.text(language, 'kit', 'person-as', { name: label.name, part: say(`field.${of}`) })
    return { ...told(name, who), person: { id: label.id, name: label.name } }
  }
  if (workflow.outside?.includes(state)) return told(null, say(`awaits.${state}`))
  return (
    blocked && {
      ...told(blocked.step, say(`awaits.${blocked.step}`)),
      why: inWords(app, language, resource.screen.name, blocked.refusal),
    }
  )
}

/** Since when, and until when that is in order. */
export function clockOf(
  { clock }: Served['resource'],
  row: Row,
  state: string,
  known: Hours,
): Pick<Waiting, 'since' | 'dueAt' | 'hours'> {
  const since = clock === undefined ? null : ((row[clock.since] as string | null) ?? null)
  const until = clock?.until?.[state]
  if (until !== undefined) {
    const hours = known.get(String(row[clock?.whose ?? '']))
    return { since, dueAt: (row[until] as string | null) ?? null, ...(hours && { hours }) }
  }
  const hours = clock?.hours?.[state]
  return { since, dueAt: since === null || hours === undefined ? null : dueAfter(since, hours) }
}
