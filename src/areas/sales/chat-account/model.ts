import * as z from 'zod'
import { MOST_LINK } from '#engines/copybook/order.model.ts'
import {
  choice,
  code,
  colleague,
  files,
  id,
  inDetail,
  instant,
  longText,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow, WRONG_STATE } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Which platform it is an account of: the company's own, or the one everybody has. */
export const KINDS = { WECOM: 'busy', WECHAT: 'done' } as const
export type Kind = keyof typeof KINDS

/** An account consultants chat with parents by: one person has it at a time. */
export const resource = defineResource({
  screen: area.screens['chat-account'],
  table: 'chat_account',
  record: z.strictObject({
    id: id(),
    accountNo: code(64),
    nickname: text(50),
    kind: choice(KINDS),
    status: choice({ IDLE: 'idle', IN_USE: 'done', LIMITED: 'special', BLOCKED: 'failed', RETIRED: 'idle' }),
    /** Whoever works with it. */
    ownerId: optional(ref('staff')),
    ownerSince: optional(instant()),
    dayQuota: number(0, 1_000),
    usedToday: number(0, 100_000),
    limitedUntil: optional(instant()),
    risk: choice({ NONE: 'idle', WATCH: 'attention', HIGH: 'failed' }),
    riskNote: longText(200),
    riskSince: optional(instant()),
    link: optional(text(MOST_LINK)),
    qr: files('image', 1),
    /** The link as a code: rows of dark and light. */
    squares: inDetail(z.array(z.string())),
    createdAt: instant(),
    version: version(),
  }),
  title: 'nickname',
  brief: ['nickname', 'accountNo', 'kind', 'ownerId'],
  list: {
    columns: [
      'nickname',
      'status',
      'ownerId',
      'usedToday',
      'risk',
      'riskNote',
      'kind',
      'accountNo',
      'ownerSince',
      'limitedUntil',
      'riskSince',
      'dayQuota',
      'createdAt',
    ],
    below: { accountNo: 'nickname', ownerSince: 'ownerId' },
    filters: ['status', 'ownerId', 'risk', 'kind', 'ownerSince'],
    sort: ['usedToday', 'ownerSince'],
    tabs: 'status',
    search: ['nickname', 'accountNo'],
  },
  create: ['accountNo', 'nickname', 'kind', 'dayQuota', 'link', 'qr'],
  edit: ['nickname', 'dayQuota', 'link', 'qr'],
  actions: ['list', 'detail', 'create', 'update', 'export'],
  scope: 'owned',
})
export type ChatAccount = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'chat-account',
  table: 'chat_account',
  label: { name: 'nickname', note: { column: 'account_no', personal: null }, tone: 'status' },
  offered: { column: 'status', values: ['IDLE', 'IN_USE', 'LIMITED', 'BLOCKED'] },
  search: ['nickname', 'account_no'],
  scope: 'owned',
})

type Held = Pick<ChatAccount, 'status' | 'ownerId'>

const isHeld = ({ status, ownerId }: Held): Refusal | undefined =>
  ownerId === null ? refuse(WRONG_STATE, { state: `status.${status}` }) : undefined

const isNobodys = ({ ownerId }: Held): Refusal | undefined => (ownerId === null ? undefined : refuse('still-held'))

/** Whoever speaks with parents: those who may claim leads. */
const TO = { newOwnerId: colleague(area.screens.salvage, 'claim') }

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['IDLE', 'IN_USE'],
  steps: {
    handOut: { from: ['IDLE'], to: 'IN_USE', input: TO, awaits: true, back: 'stays' },
    restore: {
      from: ['LIMITED', 'BLOCKED'],
      to: { among: ['IDLE', 'IN_USE'], by: row => (row.ownerId === null ? 'IDLE' : 'IN_USE') },
      shows: ['risk', 'riskNote'],
      back: 'undo',
    },
    judgeRisk: {
      from: ['IDLE', 'IN_USE', 'LIMITED', 'BLOCKED'],
      input: { risk: choice({ NONE: 'idle', WATCH: 'attention', HIGH: 'failed' }), riskNote: longText(200) },
      aside: true,
      back: 'undo',
    },
    moveOn: { from: ['IN_USE', 'LIMITED'], input: TO, guard: isHeld, aside: true, back: 'stays' },
    reclaim: {
      from: ['IN_USE', 'LIMITED', 'BLOCKED'],
      to: { among: ['IDLE', 'LIMITED', 'BLOCKED'], by: ({ status }) => (status === 'IN_USE' ? 'IDLE' : status) },
      guard: isHeld,
      reason: true,
      aside: true,
      back: 'stays',
    },
    limit: {
      from: ['IDLE', 'IN_USE'],
      to: 'LIMITED',
      input: { limitedUntil: optional(instant()), riskNote: longText(200) },
      aside: true,
      back: 'undo',
    },
    block: {
      from: ['IDLE', 'IN_USE', 'LIMITED'],
      to: 'BLOCKED',
      reason: true,
      danger: true,
      aside: true,
      back: 'undo',
    },
    retire: {
      from: ['IDLE', 'LIMITED', 'BLOCKED'],
      to: 'RETIRED',
      guard: isNobodys,
      danger: true,
      aside: true,
      back: 'undo',
    },
  },
})

/** How much an account may still add today. */
export const leftToday = ({ dayQuota, usedToday }: Pick<ChatAccount, 'dayQuota' | 'usedToday'>): number =>
  Math.max(0, dayQuota - usedToday)
