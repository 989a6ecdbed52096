import * as z from 'zod'
import {
  choice,
  colleague,
  dictionary,
  id,
  inDetail,
  instant,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { MAX_IMPORT_ROWS } from '#kit/model/import.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

const rows = () => number(0, MAX_IMPORT_ROWS)

/** In whose hands numbers of a list are, or were last, and how many. */
const holder = z.strictObject({ id: z.string(), name: z.string(), count: z.int() })
export type Holder = z.infer<typeof holder>

/**
 * What is said once of a whole list: where its numbers are from, whether their people agreed to advertising, and who gets the numbers that
 * name nobody: one colleague, or those of a department in turn; where neither is named, the rules of allocation find somebody.
 */
export const listSaid = {
  cameFrom: dictionary('MEMBER_SOURCE'),
  marketing: choice({ AGREED: 'done', NOT_AGREED: 'idle' }),
  evidence: optional(text(200)),
  giveToId: optional(colleague(area.screens.member, 'own')),
  dealToId: optional(ref('department')),
}
export type ListSaid = z.infer<z.ZodObject<typeof listSaid>>

/** Only what was agreed to has something to show for it, and what one colleague gets is dealt to no others. */
export function isSaidShown(field: string, { marketing, giveToId }: Readonly<Record<string, unknown>>) {
  if (field === 'evidence') return marketing === 'AGREED' && 'required'
  return field !== 'dealToId' || giveToId == null
}

/** Agreed to is what somebody can show; and numbers go one way or the other. */
export function whyNotSaid({ marketing, evidence, giveToId, dealToId }: ListSaid): Readonly<Record<string, Refusal>> {
  return {
    ...(marketing === 'AGREED' && !evidence ? { evidence: refuse('evidence-missing') } : {}),
    ...(giveToId !== null && dealToId !== null ? { dealToId: refuse('give-or-deal') } : {}),
  }
}

/** How far a number may have come, the first steps first; the figure of each step counts those that came at least so far. */
export const REACHED = ['IMPORTED', 'ALLOCATED', 'CONTACTED', 'ADDED', 'REGISTERED', 'PAID'] as const
export const FUNNEL = ['newRows', 'allocated', 'contacted', 'added', 'registered', 'paid'] as const
export type FunnelStep = (typeof FUNNEL)[number]

/** A list of numbers somebody brought: how many were new, why the others were not taken, and what came of the new ones. */
export const resource = defineResource({
  screen: area.screens['number-import'],
  table: 'number_batch',
  record: z.strictObject({
    id: id(),
    title: text(200),
    cameFrom: optional(listSaid.cameFrom),
    marketing: listSaid.marketing,
    evidence: listSaid.evidence,
    allRows: rows(),
    newRows: rows(),
    repeatedRows: rows(),
    knownRows: rows(),
    badRows: rows(),
    allocated: rows(),
    contacted: rows(),
    added: rows(),
    registered: rows(),
    paid: rows(),
    givenTo: inDetail(z.array(holder)),
    status: choice({ KEPT: 'done', UNDONE: 'idle' }),
    ownerId: ref('staff'),
    createdAt: instant(),
    version: version(),
  }),
  title: 'title',
  brief: ['title', ...FUNNEL],
  list: {
    columns: [
      'title',
      'status',
      'cameFrom',
      'marketing',
      'allRows',
      'newRows',
      'allocated',
      'contacted',
      'added',
      'registered',
      'paid',
      'knownRows',
      'repeatedRows',
      'badRows',
      'ownerId',
      'createdAt',
    ],
    below: { ownerId: 'cameFrom', createdAt: 'title' },
    filters: ['createdAt', 'ownerId', 'status', 'title', 'cameFrom', 'marketing'],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['title'],
  },
  actions: ['list', 'detail', 'export'],
  scope: 'owned',
})
export type NumberBatch = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'number-import',
  table: 'number_batch',
  label: { name: 'title', note: null, tone: 'status' },
  search: ['title'],
  scope: 'owned',
})

/** As far as this figure of the funnel says, or further. */
export const reachedBy = (step: FunnelStep): readonly (typeof REACHED)[number][] => REACHED.slice(FUNNEL.indexOf(step))

export type Refusals = Readonly<Record<string, number>>

/** Why rows were left out, told apart by the first thing that speaks against each. */
export function leftOut(refused: Refusals): Pick<NumberBatch, 'repeatedRows' | 'knownRows' | 'badRows'> {
  const of = (...codes: readonly string[]) => codes.reduce((sum, code) => sum + (refused[code] ?? 0), 0)
  const repeatedRows = of('kit/server/import:row-twice')
  const knownRows = of('number-known', 'kit/server/import:row-imported')
  const all = Object.values(refused).reduce((sum, count) => sum + count, 0)
  return { repeatedRows, knownRows, badRows: all - repeatedRows - knownRows }
}
