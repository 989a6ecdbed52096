import * as z from 'zod'
import { resource as order } from '#areas/orders/order/model.ts'
import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import {
  choice,
  dictionary,
  flag,
  id,
  instant,
  money,
  number,
  optional,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type Resource } from '#kit/model/resource.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

/**
 * Whose a lead was from when to when, and what came of it in those hands: who follows whom changes, what was done does not.
 * The table is the engine's (`engines/lead`).
 */
export const resource = defineResource({
  screen: area.screens['sales-count'],
  table: 'lead_owner',
  record: z.strictObject({
    id: id(),
    leadId: ref('lead'),
    soldBy: ref('staff'),
    got: choice({ ALLOCATED: 'idle', ASSIGNED: 'idle', HANDED_OVER: 'idle', CLAIMED: 'special' }),
    byId: optional(ref('staff')),
    source: dictionary('MEMBER_SOURCE'),
    channel: dictionary('CHANNEL'),
    reached: choice({
      ASSIGNED: 'special',
      CONTACTED: 'busy',
      ADDED: 'busy',
      TRIAL: 'busy',
      INTENT: 'busy',
      DEAL: 'done',
    }),
    since: instant(),
    contactedAt: optional(instant()),
    prompt: flag(),
    addedAt: optional(instant()),
    triedAt: optional(instant()),
    keenAt: optional(instant()),
    until: optional(instant()),
    endKind: optional(
      choice({
        MOVED: 'idle',
        HANDED_OVER: 'idle',
        RETURNED: 'attention',
        EXPIRED: 'attention',
        DEAL: 'done',
        LOST: 'failed',
        INVALID: 'idle',
      }),
    ),
    daysToDeal: optional(number(0, 100_000)),
    dealFen: optional(money()),
    version: version(),
  }),
  title: 'leadId',
  brief: ['leadId', 'soldBy', 'got', 'since', 'reached'],
  list: {
    columns: [
      'leadId',
      'soldBy',
      'got',
      'since',
      'reached',
      'contactedAt',
      'prompt',
      'endKind',
      'until',
      'dealFen',
      'source',
      'channel',
      'addedAt',
      'triedAt',
      'keenAt',
      'daysToDeal',
      'byId',
    ],
    below: { channel: 'source', until: 'endKind', prompt: 'contactedAt' },
    filters: [
      'soldBy',
      'got',
      'since',
      'channel',
      'source',
      'reached',
      'prompt',
      'endKind',
      'until',
      'daysToDeal',
      'leadId',
    ],
    sort: ['since', 'until'],
    usual: 'since:desc',
    tabs: 'reached',
    search: ['leadId'],
    behind: 'numbers',
  },
  actions: ['list', 'detail', 'export'],
  scope: 'owned',
  isPast: true,
})

/** Leads, as other records name them. */
export const reference = defineReference({
  name: 'lead',
  table: 'lead',
  label: { name: 'called', note: { column: 'phone', personal: 'phone' }, tone: null },
  search: ['name'],
  scope: 'owned',
  carer: 'pool_id',
  care: { table: 'lead_pool_member', group: 'pool_id' },
})

const atLeast = (reached: 'CONTACTED' | 'ADDED' | 'TRIAL' | 'INTENT' | 'DEAL') => {
  const way = ['CONTACTED', 'ADDED', 'TRIAL', 'INTENT', 'DEAL']
  return { reached: way.slice(way.indexOf(reached)) }
}
const SOLD = { of: order as unknown as Resource, at: 'paidAt', rows: { payState: ['PAID'] } }

/** What each consultant makes of the leads that came into the own hands, and what comes in and goes back of what each sold. */
export const statistic = defineStatistic({
  screen: area.screens['sales-count'],
  of: resource,
  measures: {
    leads: { kind: 'count', good: 'neither', rows: {} },
    promptRate: { kind: 'rate', good: 'more', rows: { prompt: ['true'] } },
    addedRate: { kind: 'rate', good: 'more', rows: atLeast('ADDED') },
    trials: { kind: 'count', good: 'more', rows: atLeast('TRIAL') },
    deals: { kind: 'count', good: 'more', rows: atLeast('DEAL') },
    dealRate: { kind: 'rate', good: 'more', rows: atLeast('DEAL') },
    amount: { kind: 'money', good: 'more', ...SOLD },
    refunded: {
      kind: 'money',
      good: 'less',
      of: refundApplication as unknown as Resource,
      at: 'endedAt',
      rows: { status: ['PAID'] },
    },
    net: { kind: 'money', good: 'more', madeOf: ['amount', 'refunded'] },
    perHead: { kind: 'money', good: 'more', madeOf: ['amount'] },
    contacted: { kind: 'count', good: 'more', rows: atLeast('CONTACTED'), only: 'funnel' },
    added: { kind: 'count', good: 'more', rows: atLeast('ADDED'), only: 'funnel' },
    keen: { kind: 'count', good: 'more', rows: atLeast('INTENT'), only: 'funnel' },
  },
  dimensions: { seller: { field: 'soldBy' }, time: 'time', channel: { field: 'channel' } },
  funnel: ['leads', 'contacted', 'added', 'trials', 'keen', 'deals'],
  bases: { received: 'since' },
  filters: ['soldBy', 'channel'],
})
