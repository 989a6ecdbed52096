import * as z from 'zod'
import {
  choice,
  code,
  day,
  dictionary,
  id,
  inDetail,
  instant,
  longText,
  money,
  number,
  optional,
  reference as ref,
  tags,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const MOST = 2_147_483_647
/** A new one; what people have added to the dictionary before may read otherwise. */
export const CODE = /^[A-Z][A-Z0-9_]{0,49}$/

/** Where people come from. Its code is what leads, members and orders carry as their channel. */
export const resource = defineResource({
  screen: area.screens.channel,
  table: 'channel',
  record: z.strictObject({
    id: id(),
    code: code(100),
    name: text(100),
    channelGroup: dictionary('CHANNEL_GROUP'),
    keeperId: optional(ref('staff')),
    link: optional(text(500).regex(/^https:\/\/\S+$/)),
    /** The link as a code: rows of dark and light. */
    squares: inDetail(z.array(z.string())),
    autoTags: tags('MEMBER_TAG'),
    validFrom: optional(day()),
    validTo: optional(day()),
    status: choice({ ACTIVE: 'done', PAUSED: 'attention', ENDED: 'idle' }),
    leads: number(0, MOST),
    members: number(0, MOST),
    orders: number(0, MOST),
    gmvFen: money(),
    refundedFen: money(),
    countedAt: optional(instant()),
    note: longText(500),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'code', 'channelGroup'],
  list: {
    columns: [
      'name',
      'code',
      'channelGroup',
      'status',
      'leads',
      'members',
      'orders',
      'gmvFen',
      'refundedFen',
      'keeperId',
      'autoTags',
      'validTo',
      'countedAt',
      'createdAt',
    ],
    filters: ['channelGroup', 'keeperId', 'status', 'autoTags', 'validTo', 'createdAt'],
    sort: ['leads', 'members', 'orders', 'gmvFen', 'createdAt'],
    usual: 'leads:desc',
    tabs: 'status',
    search: ['name', 'code'],
  },
  create: ['code', 'name', 'channelGroup', 'keeperId', 'link', 'autoTags', 'validFrom', 'validTo', 'note'],
  edit: ['name', 'channelGroup', 'keeperId', 'link', 'autoTags', 'validFrom', 'validTo', 'note'],
  actions: ['list', 'detail', 'create', 'update', 'export'],
  scope: 'shared',
})
export type Channel = RecordOf<typeof resource>

/** Which orders count: also those that cost nothing, a code redeemed say. */
export const PAID = { payState: 'PAID' } as const

export type Today = { readonly today: string }

const isOver = ({ validTo }: Pick<Channel, 'validTo'>, today: string): boolean => validTo !== null && validTo < today

/** Whether whoever comes by it today comes by a channel in force. */
export const isInForce = (channel: Pick<Channel, 'status' | 'validFrom' | 'validTo'>, today: string): boolean =>
  channel.status === 'ACTIVE' && !isOver(channel, today) && (channel.validFrom === null || channel.validFrom <= today)

const notWhileOver = (channel: Channel, _person: unknown, { today }: Today): Refusal | undefined =>
  isOver(channel, today) ? refuse('is-over', { day: channel.validTo ?? '' }) : undefined

export const workflow = defineWorkflowWith<Today>()(resource)({
  field: 'status',
  arrivals: ['ACTIVE', 'ENDED'],
  steps: {
    pause: { from: ['ACTIVE'], to: 'PAUSED', aside: true, back: 'undo' },
    resume: { from: ['PAUSED', 'ENDED'], to: 'ACTIVE', guard: notWhileOver, back: 'undo' },
  },
})
