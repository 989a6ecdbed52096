import * as z from 'zod'
import { AGE_GROUPS, PURPOSES, type Purpose, type Speaker } from '#engines/consent/model.ts'
import {
  choice,
  code,
  colleague,
  day,
  dictionary,
  files,
  flag,
  id,
  inDetail,
  instant,
  lines,
  number,
  optional,
  paragraphs,
  personal,
  personName,
  reference as ref,
  type Tone,
  tags,
  text,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const COINS = 1_000_000_000

/** Rights that open no call: whoever holds one may be given members to own, or pupils to teach. */
export const actions = ['own', 'teach']
const owner = () => colleague(area.screens.member, 'own')
const teacher = () => colleague(area.screens.member, 'teach')

/** What somebody should know before speaking with the member. */
const risks = z.strictObject({ openRefunds: z.int(), openRefundFen: z.int(), sameWechat: z.int() })

/** When somebody last spoke with the member or the guardian, and when to speak again as was said then. */
const contact = z.strictObject({ lastAt: z.string().nullable(), nextAt: z.string().nullable() })

/** The days the membership stands still, now or soon. */
const pause = z.strictObject({ from: z.string(), until: z.string() })

/** How old the pupil is, as far as it matters, and what nobody has agreed to who may. */
const consent = z.strictObject({ ageGroup: z.enum(AGE_GROUPS), missing: z.array(z.enum(PURPOSES)) })

/** A pupil, with whom sales and teachers deal and what the pupil holds. The guardian pays. */
export const resource = defineResource({
  screen: area.screens.member,
  table: 'member',
  record: z.strictObject({
    id: id(),
    name: personName(50),
    // None once the account was closed.
    phone: optional(personal('phone', 40)),
    guardianName: optional(personal('name', 50)),
    // By the month: enough to know who is fourteen, and less than a birthday (decision 075).
    birthMonth: optional(personal('month', 20)),
    level: choice({ TRIAL: 'busy', MEMBER: 'done', EXPIRED: 'idle' }),
    status: choice({ ACTIVE: 'done', FROZEN: 'failed', CLOSED: 'idle' }),
    membershipEndsOn: optional(day()),
    isPaused: flag(),
    // Below zero: spent before a refund took them back.
    coins: number(-COINS, COINS),
    ownerId: optional(owner()),
    ownerSince: optional(instant()),
    teacherId: optional(teacher()),
    source: dictionary('MEMBER_SOURCE'),
    channel: dictionary('CHANNEL'),
    tags: tags('MEMBER_TAG'),
    lastCheckInAt: optional(instant()),
    lastWorkAt: optional(instant()),
    // With money; and the one channel it belongs to by the written rule (decision 085).
    firstPaidAt: optional(instant()),
    creditedSource: optional(dictionary('MEMBER_SOURCE')),
    creditedChannel: optional(dictionary('CHANNEL')),
    createdAt: instant(),
    risks: inDetail(risks),
    contact: inDetail(contact),
    pause: optional(inDetail(pause)),
    consent: inDetail(consent),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'phone', 'level', 'ownerId'],
  list: {
    columns: [
      'name',
      'phone',
      'level',
      'membershipEndsOn',
      'ownerId',
      'coins',
      'teacherId',
      'source',
      'channel',
      'lastCheckInAt',
      'lastWorkAt',
      'createdAt',
      'tags',
      'status',
    ],
    below: { teacherId: 'ownerId', channel: 'source', lastCheckInAt: 'lastWorkAt', createdAt: 'name' },
    filters: [
      'level',
      'ownerId',
      'tags',
      'teacherId',
      'channel',
      'source',
      'status',
      'createdAt',
      'membershipEndsOn',
      'isPaused',
      'lastWorkAt',
      'lastCheckInAt',
      'firstPaidAt',
      'creditedSource',
      'creditedChannel',
      'id',
    ],
    sort: ['createdAt', 'membershipEndsOn', 'coins', 'lastWorkAt'],
    tabs: 'level',
    side: 'department',
    search: ['name'],
  },
  create: ['name', 'phone', 'guardianName', 'birthMonth', 'source', 'channel', 'ownerId', 'tags'],
  edit: ['name', 'guardianName', 'birthMonth', 'tags'],
  actions: ['list', 'detail', 'create', 'update', 'export', 'reveal'],
  isKeptLong: ['recordConsent', 'gift'],
  scope: 'owned',
  carer: 'teacherId',
})
export type Member = RecordOf<typeof resource>

/** What somebody may give by hand; each has a monthly cap of its own. */
export const giftKind = choice({ DAYS: 'done', COINS: 'special', COUPON: 'attention' })
export type Gift = z.infer<typeof giftKind>
export const giftQuantity = () => number(1, 10_000)

/** What a guardian is asked about, each by itself (decision 067). */
export const consentPurpose = choice({
  PICTURE: 'busy',
  VOICE: 'busy',
  VIDEO: 'busy',
  DISPLAY: 'special',
  MARKETING: 'attention',
} satisfies Record<Purpose, Tone>)

/** Whose word it was. */
export const saidAs = choice({ GUARDIAN: 'idle', PUPIL: 'special' } satisfies Record<Speaker, Tone>)

/** The signed sheet, as somebody took its picture. */
export const consentProof = () => files('image', 3)

/** Of whoever closed the account nothing is noted any more. */
const OPEN = ['ACTIVE', 'FROZEN'] as const

export const workflow = defineWorkflow(resource)({
  field: 'status',
  // Closing is asked for on a page of its own, and done by the calendar.
  arrivals: ['ACTIVE', 'CLOSED'],
  steps: {
    noteFollowUp: {
      from: OPEN,
      alone: true,
      input: { followUpKind: dictionary('FOLLOW_UP_KIND'), content: paragraphs(1_000), nextAt: optional(instant()) },
      back: 'stays',
    },
    assignOwner: { from: OPEN, reason: true, input: { newOwnerId: owner() }, back: 'undo' },
    bindTeacher: { from: OPEN, input: { teacherId: teacher() }, back: 'undo' },
    tag: { from: OPEN, input: { addTags: tags('MEMBER_TAG'), removeTags: tags('MEMBER_TAG') }, back: 'undo' },
    correctOrigin: {
      from: OPEN,
      reason: true,
      aside: true,
      input: { source: dictionary('MEMBER_SOURCE'), channel: dictionary('CHANNEL') },
      back: 'stays',
    },
    gift: {
      from: ['ACTIVE'],
      reason: true,
      input: { giftKind, quantity: optional(giftQuantity()), couponId: optional(ref('coupon')) },
      back: 'stays',
    },
    recordConsent: {
      from: OPEN,
      alone: true,
      aside: true,
      input: {
        consentAct: choice({ GIVEN: 'done', WITHDRAWN: 'failed' }),
        consentPurposes: lines(consentPurpose, 5),
        saidAs,
        saidBy: personal('name', 50),
        saidAt: instant(),
        consentWay: dictionary('CONSENT_WAY'),
        textVersion: optional(code(40)),
        evidence: text(),
        proof: consentProof(),
      },
      back: 'stays',
    },
    unfreeze: { from: ['FROZEN'], to: 'ACTIVE', reason: true, back: 'undo' },
    freeze: { from: ['ACTIVE'], to: 'FROZEN', reason: true, danger: true, back: 'undo' },
  },
})

/** Pupils, as other records name them: the phone beside the name comes masked. */
export const reference = defineReference({
  name: 'member',
  table: 'member',
  label: { name: 'name', note: { column: 'phone', personal: 'phone' }, tone: 'level' },
  search: ['name', 'name_pinyin', 'name_initials'],
  scope: 'owned',
  carer: 'teacher_id',
})
