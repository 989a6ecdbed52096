import { resource as order } from '#areas/orders/order/model.ts'
import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import { type Reached, reachedFrom } from '#engines/lead/model.ts'
import { defineReference } from '#kit/model/resource.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'
// Beside what is counted with them, which the list does not wait for.
import { resource } from './spans.model.ts'

export { resource }

/** Leads, as other records name them. */
export const reference = defineReference({
  name: 'lead',
  table: 'lead',
  label: { name: 'called', note: { column: 'phone', personal: 'phone' }, tone: null },
  search: ['name'],
  scope: 'owned',
  carer: 'pool_id',
  care: { table: 'lead_pool_member', group: 'pool_id', masks: { called: 'name' } },
})

const atLeast = (reached: Reached) => ({ reached: reachedFrom(reached) })
const SOLD = { of: order, at: 'paidAt', rows: { payState: ['PAID'] } }

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
      of: refundApplication,
      at: 'endedAt',
      rows: { status: ['PAID'] },
    },
    net: { kind: 'money', good: 'more', madeOf: ['amount', 'refunded'] },
    perHead: { kind: 'money', good: 'more', madeOf: ['amount'] },
    contacted: { kind: 'count', good: 'more', rows: atLeast('CONTACTED'), only: 'funnel' },
    added: { kind: 'count', good: 'more', rows: atLeast('ADDED'), only: 'funnel' },
    keen: { kind: 'count', good: 'more', rows: atLeast('INTENT'), only: 'funnel' },
  },
  dimensions: {
    seller: { field: 'soldBy' },
    department: { field: 'soldOrgId' },
    time: 'time',
    channel: { field: 'channel' },
  },
  funnel: ['leads', 'contacted', 'added', 'trials', 'keen', 'deals'],
  bases: { received: 'since' },
  filters: ['soldBy', 'soldOrgId', 'channel'],
})
