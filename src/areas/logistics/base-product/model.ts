import * as z from 'zod'
import { code, flag, id, instant, longText, money, number, text, version } from '#kit/model/field.ts'
import { MAX_PRICE_FEN } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { type AskedBelow, agreementBelow, NOT_AGREED } from '#kit/model/request.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

export const MAX_ON_HAND = 2_000_000_000
/** What may be moved in one go. */
const MAX_MOVED = 1_000_000

/** Something that lies on the shelf: how many there are, how many are promised, and how many may still be promised. */
export const resource = defineResource({
  screen: area.screens['base-product'],
  table: 'base_product',
  record: z.strictObject({
    id: id(),
    sku: code(30).regex(/^[A-Z0-9][A-Z0-9-]+$/),
    name: text(100),
    unit: text(10),
    onHand: number(0, MAX_ON_HAND),
    locked: number(0, MAX_ON_HAND),
    // Below zero after a stock check found less than is promised.
    available: number(-MAX_ON_HAND, MAX_ON_HAND),
    warnAt: number(0, MAX_MOVED),
    isLow: flag(),
    costFen: money(0, MAX_PRICE_FEN),
    valueFen: money(0, MAX_PRICE_FEN),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'sku', 'onHand', 'locked'],
  list: {
    columns: ['sku', 'name', 'onHand', 'locked', 'available', 'isLow', 'warnAt', 'unit', 'costFen', 'valueFen'],
    filters: ['isLow', 'available', 'onHand'],
    sort: ['onHand', 'available'],
    search: ['sku', 'name'],
  },
  create: ['sku', 'name', 'unit', 'warnAt', 'costFen', 'valueFen'],
  asks: { openingStock: number(0, 1_000_000) },
  edit: ['name', 'unit', 'warnAt', 'costFen', 'valueFen'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
  asked: { steps: ['check'], answers: ['approveCheck', 'rejectCheck', 'expireCheck'] },
})
export type BaseProduct = RecordOf<typeof resource>

export const CHECK_STATES = { WAITING: 'attention', APPROVED: 'done', ...NOT_AGREED } as const
export type CheckState = keyof typeof CHECK_STATES
/** Days in which somebody else decides on a count: later nobody knows what lay there. */
export const DAYS_TO_DECIDE = 7

/** Four eyes: a count stands below its product, and nobody confirms what he counted (decision 045). */
const count = agreementBelow('check.NONE')
/** What is free changes with the count: told with it. */
const shows = ['available'] as const

const moved = { quantity: number(1, MAX_MOVED), note: longText(200) }

export const workflow = defineWorkflowWith<AskedBelow>()(resource)({
  field: null,
  arrivals: [],
  steps: {
    // First of all while a count waits, and not to be seen while none does.
    approveCheck: { ...count.approve, shows },
    stockIn: { alone: true, input: moved, back: 'stays' },
    stockOut: { alone: true, input: moved, guard: somethingFree, back: 'stays' },
    check: {
      alone: true,
      guard: noOpenCheck,
      input: { counted: number(0, MAX_MOVED), note: longText(200) },
      back: 'stays',
    },
    rejectCheck: { ...count.reject, shows },
    withdrawCheck: { ...count.withdraw, shows },
  },
})

/** What is promised to parcels does not leave by another door. */
function somethingFree({ onHand, locked }: Pick<BaseProduct, 'onHand' | 'locked'>): Refusal | undefined {
  if (onHand <= locked) return refuse('logistics/base-product:short')
}

function noOpenCheck(_row: unknown, _actor: unknown, facts: AskedBelow): Refusal | undefined {
  if (facts) return refuse('check-open')
}

export const reference = defineReference({
  name: 'base-product',
  table: 'base_product',
  label: { name: 'name', note: { column: 'sku', personal: null }, tone: null },
  search: ['name', 'sku'],
  scope: 'shared',
})
