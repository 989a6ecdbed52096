import * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import {
  choice,
  code,
  day,
  id,
  instant,
  money,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { byAnother } from '#kit/model/four-eyes.ts'
import { MAX_FEN, MAX_PRICE_FEN } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const MOST = 2_147_483_647

/** What became of the link a partner was sent last: on its way, arrived or not, a code was asked for by it, or it was confirmed by it. */
const LINK_STATES = {
  NONE: 'idle',
  SENDING: 'busy',
  SENT: 'special',
  FAILED: 'failed',
  ASKED: 'attention',
  USED: 'done',
} as const

/** What a partner is paid for a month: line by line, agreed to by the partner, approved and paid by two others. */
export const resource = defineResource({
  screen: area.screens.statement,
  table: 'settlement_statement',
  record: z.strictObject({
    id: id(),
    statementNo: code(26),
    partnerId: ref('app-channel'),
    periodFrom: day(),
    periodTo: day(),
    status: choice({ DRAFT: 'busy', CHANNEL_CONFIRMED: 'attention', APPROVED: 'attention', PAID: 'done' }),
    counted: number(0, MOST),
    notCounted: number(0, MOST),
    adjustedFen: money(-MAX_FEN),
    totalFen: money(),
    reckonedAt: instant(),
    linkState: choice(LINK_STATES),
    linkSentAt: optional(instant()),
    linkUntil: optional(instant()),
    linkBy: optional(ref('staff')),
    /** Who had entered the phone the code was sent to. */
    contactBy: optional(ref('staff')),
    confirmedName: optional(text(50)),
    confirmedVia: optional(choice({ RECORDED: 'idle', LINK: 'done', NOTHING_DUE: 'idle' })),
    confirmedBy: optional(ref('staff')),
    confirmedAt: optional(instant()),
    digest: optional(code(64)),
    approvedBy: optional(ref('staff')),
    approvedAt: optional(instant()),
    paidBy: optional(ref('staff')),
    paidAt: optional(instant()),
    transferNo: optional(code(64)),
    createdAt: instant(),
    stateSince: optional(instant()),
    version: version(),
  }),
  title: 'statementNo',
  brief: ['statementNo', 'partnerId', 'periodFrom', 'totalFen'],
  list: {
    columns: [
      'statementNo',
      'partnerId',
      'status',
      'periodFrom',
      'totalFen',
      'linkState',
      'counted',
      'notCounted',
      'adjustedFen',
      'confirmedName',
      'approvedBy',
      'paidBy',
      'paidAt',
      'transferNo',
    ],
    below: { linkState: 'status', paidAt: 'paidBy' },
    filters: ['partnerId', 'periodFrom', 'totalFen', 'status', 'linkState', 'paidAt'],
    sort: ['periodFrom', 'totalFen', 'paidAt'],
    usual: 'periodFrom:desc',
    tabs: 'status',
    search: ['statementNo', 'partnerId', 'transferNo'],
  },
  actions: ['list', 'detail', 'export'],
  scope: 'shared',
  clock: { since: 'stateSince', hours: { DRAFT: 480, CHANNEL_CONFIRMED: 360, APPROVED: 360 } },
})
export type Statement = RecordOf<typeof resource>

/**
 * Whether the partner has a later statement, where what is found by then stands; whether somebody there can be sent a code; whether a link
 * would lead anywhere; how many to this statement were sent today; and who has entered lines of it by hand.
 */
export type Known = {
  readonly hasLater: boolean
  readonly hasContact: boolean
  readonly isReachable: boolean
  readonly linksToday: number
  readonly enteredBy: readonly string[]
}
type Person = Pick<Actor, 'id'>

const notWhoRecorded = byAnother('confirmedBy', 'own-confirmation')
const notWhoSent = byAnother('linkBy', 'own-link')
const notWhoseContact = byAnother('contactBy', 'own-contact')
/** Whoever brought us the partner's word, had it asked for, or said whose phone it is asked for by, decides on nothing that follows from it. */
const notWhoConfirmed = (row: Statement, actor: Person): Refusal | undefined =>
  row.confirmedVia === 'LINK' ? (notWhoSent(row, actor) ?? notWhoseContact(row, actor)) : notWhoRecorded(row, actor)
/** Nor does whoever changed its sum by hand. */
const notWhoDecidesOnOwn = (row: Statement, actor: Person, { enteredBy }: Known): Refusal | undefined =>
  notWhoConfirmed(row, actor) ?? (enteredBy.includes(actor.id) ? refuse('own-line') : undefined)
const notWhoApproved = byAnother('approvedBy', 'own-approval')

const whileLast = (_row: unknown, _actor: unknown, { hasLater }: Known): Refusal | undefined =>
  hasLater ? refuse('has-later') : undefined

/** Each link is a message to somebody outside, and brings codes that may be guessed at. */
export const MOST_LINKS_A_DAY = 3

const whyNoLink = (_row: unknown, _actor: unknown, known: Known): Refusal | undefined => {
  const { hasContact, isReachable, linksToday } = known
  if (!isReachable) return refuse('address-not-set')
  if (!hasContact) return refuse('contact-missing')
  if (linksToday >= MOST_LINKS_A_DAY) return refuse('links-used-up', { most: MOST_LINKS_A_DAY })
}

const MONEY = { amount: 'totalFen', shows: ['counted', 'notCounted', 'adjustedFen'], awaits: true } as const
const AGREED = ['CHANNEL_CONFIRMED', 'APPROVED', 'PAID'] as const

export const workflow = defineWorkflowWith<Known>()(resource)({
  field: 'status',
  // What comes to nothing, without anybody's hand, is settled by itself.
  arrivals: ['DRAFT', 'PAID'],
  path: ({ confirmedVia }) =>
    confirmedVia === 'NOTHING_DUE'
      ? ['status.DRAFT', 'status.PAID']
      : ['status.DRAFT', 'status.CHANNEL_CONFIRMED', 'status.APPROVED', 'status.PAID'],
  steps: {
    sendLink: {
      from: ['DRAFT'],
      guard: whyNoLink,
      shows: ['totalFen', 'counted', 'notCounted', 'adjustedFen', 'linkSentAt'],
      back: 'stays',
    },
    confirm: {
      ...MONEY,
      from: ['DRAFT'],
      to: 'CHANNEL_CONFIRMED',
      alone: true,
      input: { confirmedName: text(50) },
      back: whileLast,
    },
    approve: { ...MONEY, from: ['CHANNEL_CONFIRMED'], to: 'APPROVED', guard: notWhoDecidesOnOwn, back: 'undo' },
    pay: {
      ...MONEY,
      from: ['APPROVED'],
      to: 'PAID',
      alone: true,
      guard: (row: Statement, actor: Person, known: Known) =>
        notWhoDecidesOnOwn(row, actor, known) ?? notWhoApproved(row, actor),
      input: { transferNo: optional(code(64)) },
      back: 'stays',
    },
    reckon: { from: ['DRAFT'], aside: true, back: 'stays' },
    deduct: {
      from: ['DRAFT'],
      reason: true,
      alone: true,
      aside: true,
      input: { amountFen: money(1, MAX_PRICE_FEN) },
      back: 'stays',
    },
    reject: {
      from: ['CHANNEL_CONFIRMED'],
      to: 'DRAFT',
      reason: true,
      danger: true,
      aside: true,
      amount: null,
      guard: (row: Statement, actor: Person, known: Known) =>
        notWhoConfirmed(row, actor) ?? whileLast(row, actor, known),
      back: 'stays',
    },
    correct: {
      from: AGREED,
      reason: true,
      alone: true,
      aside: true,
      input: { direction: choice({ ADD: 'done', TAKE: 'failed' }), amountFen: money(1, MAX_PRICE_FEN) },
      back: 'stays',
    },
  },
})

export const reference = defineReference({
  name: 'statement',
  table: 'settlement_statement',
  label: { name: 'statement_no', note: null, tone: 'status' },
  search: ['statement_no'],
  scope: 'shared',
})
