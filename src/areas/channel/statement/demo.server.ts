import { countPartners } from '#areas/channel/app-channel/counting.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { type Period, periodBefore, statementNo } from '#engines/settlement/period.model.ts'
import { digestOf, openStatement, reckon } from '#engines/settlement/server.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
import { keepingOf, pageOf } from '#kit/server/change/logged-pages.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { resource } from './model.ts'
import { sourceOf } from './source.server.ts'

const MONTHS = 24
const OPENED_HOURS = 2

/** The months before this one, the oldest first. */
function months(today: string): Period[] {
  const found: Period[] = []
  for (let day = today; found.length < MONTHS; day = found[0]?.from ?? today) found.unshift(periodBefore(day))
  return found
}

/** Each month as it would have been settled then: by what had happened, and had been given back, by that day. */
async function stored(tx: Tx, world: World): Promise<void> {
  const partners = await tx.selectFrom('partner').select(['id', 'name', 'contact_name']).orderBy('id').execute()
  const all = months(dayOf(world.now))
  const begun = await firstDays(tx)
  for (const [nth, { id, name, contact_name }] of partners.entries())
    for (const [at, period] of all.entries()) {
      const first = begun.get(id)
      if (first === undefined || first > period.to) continue
      const opened = new Date(startOfDay(addDays(period.to, 1)).getTime() + OPENED_HOURS * HOUR_MS)
      const statement = await openStatement({ tx, now: opened }, id, period)
      const { totalFen } = await reckon({ tx, now: opened }, sourceOf(world), statement)
      const no = statementNo(period, id)
      if (totalFen === 0) {
        await settleNothing(tx, { id: statement.id, no, opened })
        continue
      }
      // The newest month waits for the partner, or for finance; of the one before one is still to be paid.
      const left = all.length - 1 - at
      const steps = left > 1 ? 3 : left === 1 ? (nth === 2 ? 2 : 3) : nth % 2
      // Some are asked by telephone, as all were until lately; one has yet to be asked for the newest month.
      const isLinked = nth % 2 === 0 && left < 4 && !(nth === 2 && left === 0)
      const linked = isLinked && contact_name !== null ? { partner: name, contact: contact_name } : undefined
      await passOn(tx, world, { id: statement.id, no, opened: opened.getTime(), steps, linked })
    }
  await countPartners({ tx, now: world.now })
}

/** From which day each partner has had a price. */
async function firstDays(tx: Tx): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .selectFrom('settlement_price')
    .select(({ fn }) => ['partner_id', fn.min('valid_from').as('day')])
    .where('status', '=', 'APPROVED')
    .groupBy('partner_id')
    .execute()
  return new Map(rows.map(({ partner_id, day }) => [partner_id, String(day)]))
}

/** What comes to nothing is done with as it is opened, and asks nobody. */
async function settleNothing(tx: Tx, { id, no, opened }: { id: string; no: string; opened: Date }): Promise<void> {
  const digest = await digestOf({ tx }, id)
  await tx
    .updateTable('settlement_statement')
    .set({ status: 'PAID', confirmed_via: 'NOTHING_DUE', confirmed_at: opened, digest, paid_at: opened })
    .set({ state_since: opened })
    .where('id', '=', id)
    .execute()
  await log(tx, { id, no, at: opened, by: NOBODY, action: 'settleNothing', states: ['DRAFT', 'PAID'] })
}

type Passed = {
  readonly id: string
  readonly no: string
  readonly opened: number
  readonly steps: number
  /** Whom the partner's statements are sent to; nothing where a colleague asks by telephone. */
  readonly linked: { readonly partner: string; readonly contact: string } | undefined
}
const LINK_DAYS = 14

/** The partner agrees after some days, finance after some more, and then it is paid; as far as time has gone. */
async function passOn(tx: Tx, world: World, { id, no, opened, steps, linked }: Passed): Promise<void> {
  const [keeper, finance, cashier] = (['OPERATIONS', 'FINANCE', 'FINANCE_CASHIER'] as const).map(role =>
    colleague(world, role),
  ) as [Colleague, Colleague, Colleague]
  const [sent, confirmed, approved, paid] = [1, 3, 5, 8].map(
    days => new Date(opened + days * DAY_MS + 9 * HOUR_MS),
  ) as [Date, Date, Date, Date]
  const statement = () => tx.updateTable('settlement_statement').where('id', '=', id)
  const isAgreed = steps > 0 && confirmed <= world.now
  if (linked !== undefined && sent <= world.now)
    await sendDemoLink(tx, { id, no, sent, by: keeper, usedAt: isAgreed ? confirmed : null })
  if (!isAgreed) return
  const digest = await digestOf({ tx }, id)
  const word = linked === undefined ? ('RECORDED' as const) : ('LINK' as const)
  const agreed = {
    confirmed_name: linked?.contact ?? '对账联系人',
    confirmed_via: word,
    confirmed_at: confirmed,
    digest,
  }
  await statement()
    .set({ ...agreed, confirmed_by: linked === undefined ? keeper.id : null, status: 'CHANNEL_CONFIRMED' })
    .set({ state_since: confirmed })
    .execute()
  const by = linked === undefined ? keeper : { name: linked.partner }
  await log(tx, { id, no, at: confirmed, by, action: 'confirm', states: ['DRAFT', 'CHANNEL_CONFIRMED'] })
  if (steps < 2 || approved > world.now) return
  await statement()
    .set({ status: 'APPROVED', approved_by: finance.id, approved_at: approved, state_since: approved })
    .execute()
  await log(tx, { id, no, at: approved, by: finance, action: 'approve', states: ['CHANNEL_CONFIRMED', 'APPROVED'] })
  if (steps < 3 || paid > world.now) return
  const transfer = `${dayOf(paid).replaceAll('-', '')}9${id.padStart(9, '0')}`
  await statement()
    .set({ status: 'PAID', paid_by: cashier.id, paid_at: paid, transfer_no: transfer, state_since: paid })
    .execute()
  await log(tx, { id, no, at: paid, by: cashier, action: 'pay', states: ['APPROVED', 'PAID'] })
}

type Sent = {
  readonly id: string
  readonly no: string
  readonly sent: Date
  readonly by: Colleague
  readonly usedAt: Date | null
}

/** A link that reached the partner, and by which it agreed or has yet to. */
async function sendDemoLink(tx: Tx, { id, no, sent, by, usedAt }: Sent): Promise<void> {
  const until = new Date(sent.getTime() + LINK_DAYS * DAY_MS)
  await tx
    .insertInto('statement_link')
    .values({ statement_id: id, sent_at: sent, expires_at: until, codes: usedAt ? 1 : 0, used_at: usedAt })
    .execute()
  await tx
    .updateTable('settlement_statement')
    .set({ link_state: usedAt ? 'USED' : 'SENT', link_by: by.id, link_sent_at: sent, link_until: until })
    .set({ contact_by: usedAt ? by.id : null })
    .where('id', '=', id)
    .execute()
  await log(tx, { id, no, at: sent, by, action: 'sendLink', states: undefined })
}

type Line = {
  readonly id: string
  readonly no: string
  readonly at: Date
  /** A colleague, the partner itself, or nobody. */
  readonly by: Colleague | { readonly name: string }
  readonly action: string
  readonly states: readonly [string, string] | undefined
}

/** What the console does by itself. */
const NOBODY = { name: '' }

/** Written here, not with the other lines: how far a statement is follows from what is stored. */
const log = (tx: Tx, { id, no, at, by, action, states }: Line) =>
  tx
    .insertInto('operation_log')
    .values({
      at,
      actor_id: 'id' in by ? by.id : null,
      actor_name: by.name,
      address: 'id' in by ? '10.8.1.20' : by === NOBODY ? '' : '203.0.113.20',
      request_id: `demo-statement-${id}-${action}`,
      page: resource.screen.key,
      action,
      record_id: id,
      record_no: no,
      diff: JSON.stringify(states ? { status: states } : {}),
      code: 0,
      duration_ms: 12,
      keep: keepingOf(pageOf(resource), action),
    })
    .execute()

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, 'sendLink', 'confirm', 'reckon', 'deduct', 'export'],
    FINANCE: [...READ, 'approve', 'reject', 'correct', 'export'],
    FINANCE_CASHIER: [...READ, 'pay'],
    AUDITOR: [...READ, 'export'],
  },
  stored,
}
