import * as z from 'zod'
import { type Grant, grant, MAX_GRANTS } from '#engines/entitlement/model.ts'
import { numbersEnding } from '#engines/sequence/model.ts'
import type { Actor } from '#kit/model/actor.ts'
import {
  choice,
  code,
  day,
  id,
  instant,
  lines,
  money,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { MAX_PRICE_FEN } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { agreedFields, agreement, NOT_AGREED } from '#kit/model/request.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const MAX_CODES = 100_000

/** Codes sold or handed out together. What each gives is frozen when the batch is made. */
export const resource = defineResource({
  screen: area.screens['code-batch'],
  table: 'code_batch',
  record: z.strictObject({
    id: id(),
    batchNo: code(12),
    name: text(100),
    buyer: text(100),
    grants: lines(grant, MAX_GRANTS),
    quantity: number(1, MAX_CODES),
    made: number(0, MAX_CODES),
    used: number(0, MAX_CODES),
    voided: number(0, MAX_CODES),
    unitPriceFen: money(0, MAX_PRICE_FEN),
    perPerson: number(1, 100),
    validFrom: day(),
    validTo: day(),
    status: choice({
      DRAFT: 'attention',
      APPROVED: 'busy',
      ACTIVE: 'done',
      PAUSED: 'special',
      CLOSED: 'idle',
      ...NOT_AGREED,
    }),
    ...agreedFields(),
    exportedBy: optional(ref('staff')),
    exportedAt: optional(instant()),
    confirmedAt: optional(instant()),
    createdAt: instant(),
    version: version(),
  }),
  title: 'batchNo',
  brief: ['batchNo', 'name', 'buyer', 'quantity', 'unitPriceFen', 'validTo'],
  list: {
    columns: [
      'batchNo',
      'name',
      'status',
      'quantity',
      'used',
      'buyer',
      'validTo',
      'grants',
      'voided',
      'validFrom',
      'unitPriceFen',
      'applicantId',
      'createdAt',
    ],
    filters: ['status', 'applicantId', 'validTo', 'createdAt', 'buyer'],
    sort: ['validTo', 'createdAt'],
    tabs: 'status',
    search: ['batchNo', 'name', 'buyer'],
    ending: numbersEnding('B'),
  },
  create: ['name', 'buyer', 'grants', 'quantity', 'perPerson', 'unitPriceFen', 'validFrom', 'validTo'],
  actions: ['list', 'detail', 'create', 'export'],
  scope: 'shared',
  clock: { since: 'createdAt' },
  asked: { by: 'applicantId', state: 'status' },
})
export type CodeBatch = RecordOf<typeof resource>
export type { Grant }

/** The plain codes leave as a file, which is no step: it answers with bytes. */
export const actions = ['exportCodes']

/** Days in which somebody else approves a batch. */
export const DAYS_TO_DECIDE = 30

/** The states in which a batch has codes, or gets them. */
export const WITH_CODES = ['APPROVED', 'ACTIVE', 'PAUSED'] as const

export const hasCodes = ({ status }: Pick<CodeBatch, 'status'>): boolean => WITH_CODES.some(state => state === status)

const { approve, ...refusals } = agreement({ waits: 'DRAFT', done: 'APPROVED' })

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['DRAFT', 'EXPIRED'],
  path: () => ['status.DRAFT', 'status.APPROVED', 'status.ACTIVE'],
  steps: {
    // Codes are worth money: made by one, agreed to by another, who sees what each gives.
    approve: { ...approve, shows: ['grants'] },
    ...refusals,
    activate: { from: ['APPROVED'], to: 'ACTIVE', guard: allMade, back: noneRedeemed },
    confirm: {
      from: WITH_CODES,
      aside: true,
      alone: true,
      guard: onlyTheExporter,
      input: { checksum: code(64).regex(/^[0-9a-fA-F]{64}$/) },
      back: 'stays',
    },
    resume: { from: ['PAUSED'], to: 'ACTIVE', back: 'undo' },
    pause: { from: ['ACTIVE'], to: 'PAUSED', aside: true, danger: true, back: 'undo' },
    close: {
      from: WITH_CODES,
      to: 'CLOSED',
      reason: true,
      aside: true,
      danger: true,
      back: 'stays',
    },
  },
})

type Person = Pick<Actor, 'id'>

function noneRedeemed({ used }: Pick<CodeBatch, 'used'>): Refusal | undefined {
  if (used > 0) return refuse('codes-in-use', { used })
}
type Exported = Pick<CodeBatch, 'exportedBy' | 'confirmedAt'>

function allMade({ made, quantity }: Pick<CodeBatch, 'made' | 'quantity'>): Refusal | undefined {
  if (made < quantity) return refuse('codes-not-ready', { made, quantity })
}

function onlyTheExporter(row: Exported, actor: Person): Refusal | undefined {
  if (row.confirmedAt !== null) return refuse('already-confirmed')
  if (row.exportedBy === null) return refuse('not-exported')
  if (row.exportedBy !== actor.id) return refuse('not-the-exporter')
}

/** Codes leave once, with one person: again only as long as that person has not confirmed the file. */
export function whyNotExport(
  row: Exported & Pick<CodeBatch, 'status' | 'made' | 'quantity'>,
  actor: Person,
): Refusal | undefined {
  if (!hasCodes(row)) return refuse('nothing-to-export')
  if (row.confirmedAt !== null) return refuse('already-confirmed')
  if (row.exportedBy !== null && row.exportedBy !== actor.id) return refuse('exported-by-another')
  return allMade(row)
}

/** Codes nobody can use any more because their time is over. */
export const expiredOf = (
  { made, used, voided, validTo }: Pick<CodeBatch, 'made' | 'used' | 'voided' | 'validTo'>,
  today: string,
): number => (validTo < today ? made - used - voided : 0)

export const CODE_STATES = { UNUSED: 'busy', REDEEMED: 'done', VOID: 'failed' } as const
export type CodeState = keyof typeof CODE_STATES

export const reference = defineReference({
  name: 'code-batch',
  table: 'code_batch',
  label: { name: 'name', note: { column: 'batch_no', personal: null }, tone: 'status' },
  search: ['name', 'batch_no'],
  scope: 'shared',
})
