import { resource as shelf } from '#areas/logistics/base-product/model.ts'
import { resource as shipment } from '#areas/logistics/shipment/model.ts'
import { resource as tracking } from '#areas/logistics/tracking/model.ts'
import { resource as member } from '#areas/members/member/model.ts'
import { resource as order } from '#areas/orders/order/model.ts'
import { resource as redemption } from '#areas/orders/redemption/model.ts'
import { resource as refund } from '#areas/orders/refund-application/model.ts'
import { resource as product } from '#areas/products/product/model.ts'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { Refused } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { type ListEngine, openList } from '#kit/server/list/list.ts'
import { readListQuery } from '#kit/server/list/list-query.ts'
import { type LowStock, type Measured, type MeasureName, QUIET_DAYS, RENEWAL_DAYS, SHORTAGES } from './model.ts'

export type Search = Readonly<Record<string, string>>
type Period = { readonly from: string; readonly to: string }
type Declared = {
  readonly resource: Resource
  /** Filters of the list, so that the rows behind a number are those its link shows. */
  readonly rows: (today: string) => Search
  /** A field of the list that puts a record into a period, and the period: it is compared with the one before. */
  readonly during?: { readonly field: string; readonly period: 'month' | 'day' }
  /** Money that is summed besides. */
  readonly sum?: string
  /** When the oldest of them began to wait. */
  readonly oldest?: true
}

const declare = (resource: unknown, rows: Declared['rows'], more: Omit<Declared, 'resource' | 'rows'> = {}) => ({
  resource: resource as Resource,
  rows,
  ...more,
})

/** Members whose days end soon; who is paused is not asked to go on. */
export function renewals(today: string): Search {
  const days = { membershipEndsOnBegin: today, membershipEndsOnEnd: addDays(today, RENEWAL_DAYS) }
  return { level: 'MEMBER', isPaused: 'false', ...days }
}

/** Members who have handed in nothing lately, and could have. */
export function quietMembers(today: string): Search {
  return { level: 'MEMBER', isPaused: 'false', lastWorkAtEnd: addDays(today, -QUIET_DAYS) }
}

/** What roles are measured by, each by a list: whoever may list it has the number, of his own scope. */
const MEASURES: Readonly<Record<MeasureName, Declared>> = {
  ordersPaid: declare(order, () => ({}), { during: { field: 'paidAt', period: 'month' }, sum: 'paidFen' }),
  refundsPaid: declare(refund, () => ({ status: 'PAID' }), {
    during: { field: 'paidAt', period: 'month' },
    sum: 'amountFen',
  }),
  codesUsed: declare(redemption, () => ({ status: 'DONE' }), { during: { field: 'createdAt', period: 'month' } }),
  parcelsSent: declare(tracking, () => ({}), { during: { field: 'sentAt', period: 'day' } }),
  parcelsUnsent: declare(shipment, () => ({ status: 'WAITING' }), { oldest: true }),
  onSale: declare(product, () => ({ status: 'ON_SALE' })),
  renewals: declare(member, renewals),
  quiet: declare(member, quietMembers),
}

export async function measuresFor(app: App, actor: Actor, now: Date): Promise<Measured[]> {
  const today = dayOf(now)
  const held = Object.entries(MEASURES).filter(([, { resource }]) => can(actor, resource.screen.key, 'list'))
  return Promise.all(
    held.map(async ([name, declared]) => {
      const list = openList(declared.resource, app.catalogue, app.db, app.counts)
      const search = { ...declared.rows(today), ...within(declared, now, 'this') }
      const before = declared.during && { ...declared.rows(today), ...within(declared, now, 'last') }
      const [current, last, oldestAt] = await Promise.all([
        amount(list, declared, search, actor),
        before ? amount(list, declared, before, actor) : null,
        declared.oldest ? oldestOf(app, list, declared.resource, search, actor) : null,
      ])
      return {
        name: name as MeasureName,
        isOwn: isOwn(actor, declared.resource),
        period: declared.during?.period ?? null,
        ...current,
        before: last,
        oldestAt,
        path: `${declared.resource.screen.route}?${new URLSearchParams(search)}`,
      }
    }),
  )
}

/** Whether the list holds nobody's rows but this person's. */
export const isOwn = (actor: Actor, resource: Resource): boolean => {
  const scope = scopeOf(actor, resource.screen.key)
  return resource.scope === 'owned' && !scope.all && scope.orgs.length === 0 && scope.owners.length === 1
}

function within({ during }: Declared, now: Date, which: 'this' | 'last'): Search {
  if (!during) return {}
  const { from, to } = periodOf(during.period, dayOf(now), which)
  return { [`${during.field}Begin`]: from, [`${during.field}End`]: to }
}

/** The month up to today, or as many days of the month before; today, or yesterday. */
export function periodOf(period: 'month' | 'day', today: string, which: 'this' | 'last'): Period {
  if (period === 'day') {
    const day = which === 'this' ? today : addDays(today, -1)
    return { from: day, to: day }
  }
  const first = `${today.slice(0, 8)}01`
  if (which === 'this') return { from: first, to: today }
  const lastOfBefore = addDays(first, -1)
  const from = `${lastOfBefore.slice(0, 8)}01`
  const days = Math.min(Number(today.slice(8)), Number(lastOfBefore.slice(8)))
  return { from, to: addDays(from, days - 1) }
}

/** Nothing where it cannot be counted in time: a workbench without one number is better than none. */
async function amount(list: ListEngine, { resource, sum }: Declared, search: Search, actor: Actor) {
  const query = readListQuery(resource, search)
  try {
    const [{ total }, fen] = await Promise.all([
      list.total(query, actor),
      sum === undefined ? null : list.sum(query, actor, sum),
    ])
    return { count: total, fen }
  } catch (error) {
    if (error instanceof Refused) return { count: null, fen: null }
    throw error
  }
}

async function oldestOf(app: App, list: ListEngine, resource: Resource, search: Search, actor: Actor) {
  const query = { ...readListQuery(resource, search), sort: { field: 'id', descending: false } }
  const { text, values } = list.all(query, actor)
  const [row] = await app.db.read.planned(`${text} limit 1`, values)
  return row?.createdAt == null ? null : new Date(String(row.createdAt)).toISOString()
}

/** What lies at or below its warning, the scarcest first; nothing for who may not list the shelf. */
export async function lowStockFor(app: App, actor: Actor): Promise<LowStock | null> {
  const { key, route } = shelf.screen
  if (!can(actor, key, 'list')) return null
  const list = openList(shelf, app.catalogue, app.db, app.counts)
  const search = { isLow: 'true', sort: 'available:asc' }
  const { rows, total } = await list.page({ ...readListQuery(shelf, search), size: SHORTAGES }, actor)
  return {
    count: total,
    path: `${route}?${new URLSearchParams(search)}`,
    products: rows.map(row => ({
      id: String(row.id),
      name: String(row.name),
      unit: String(row.unit),
      available: Number(row.available),
      warnAt: Number(row.warnAt),
      path: can(actor, key, 'detail') ? `${route}?open=${row.id}` : null,
    })),
  }
}
