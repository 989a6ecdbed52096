import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { resource, type SettingChange } from './model.ts'

type Told = Pick<SettingChange, 'key' | 'name' | 'before' | 'value' | 'unit' | 'reason'> & {
  readonly at: number
  readonly by: Colleague
}
type Change = { readonly told: Told; readonly row: NewRow<'setting_change'> }

/** A longer wait for finance was tried and taken back; one proposal was declined, one waits. None changes a rule of the two years. */
function addChanges(world: World): void {
  const [manager, finance] = [colleague(world, 'OPERATIONS_MANAGER'), colleague(world, 'FINANCE')]
  const ago = (days: number) => world.now.getTime() - days * DAY_MS
  const wait = { key: 'stray.returnDays', name: '自动退回前的天数', unit: 'days' } as const
  const longer = enter(world, {
    ...wait,
    ...{ before: 7, value: 10, reason: '国庆假期财务值班少，多留几天核对', at: ago(46) - HOUR_MS, by: manager },
  })
  confirm(world, longer, { at: ago(46), by: finance })
  const shorter = enter(world, {
    ...wait,
    ...{ before: 10, value: 7, reason: '假期结束，恢复一周', at: ago(31) - HOUR_MS, by: manager },
  })
  Object.assign(shorter.row, { based_on: longer.row.id })
  move(world, longer, { to: 'REPLACED', action: 'replace', at: ago(31), by: finance })
  confirm(world, shorter, { at: ago(31), by: finance })
  world.rows.add('business_setting', [{ key: wait.key, value: 7, since: new Date(ago(31)) }])
  const coins = enter(world, {
    ...{ key: 'gift.coinsPerMonth', name: '每人每月可赠金币', unit: 'coins' },
    ...{ before: 1_000, value: 3_000, reason: '开学季活动多，顾问反映额度不够', at: ago(20), by: manager },
  })
  Object.assign(coins.row, { decided_by: finance.id })
  const reason = '先用活动优惠券，金币额度保持不变'
  move(world, coins, { to: 'REFUSED', action: 'refuse', at: ago(19), by: finance, reason })
  enter(world, {
    ...{ key: 'refund.l2Fen', name: '须财务审批的退款合计', unit: 'fen' },
    ...{ before: 100_000, value: 150_000, reason: '年课涨价后，普通退款也常超过一千元' },
    ...{ at: world.now.getTime() - 3 * HOUR_MS, by: manager },
  })
}

function enter({ ids, rows, log }: World, told: Told): Change {
  const { at, by, ...entered } = told
  const id = ids.next('setting_change')
  const row: NewRow<'setting_change'> = {
    ...entered,
    id,
    status: 'PROPOSED',
    applicant_id: by.id,
    decided_by: null,
    based_on: null,
    created_at: new Date(at),
    in_force_at: null,
    version: 1,
  }
  rows.add('setting_change', [row])
  const { key, value, reason } = entered
  log.write({ at, actor: by, resource, action: 'create', recordId: id, after: { key, value, reason } })
  return { told, row }
}

type Move = { to: SettingChange['status']; action: string; at: number; by: Colleague; reason?: string }

function move({ log }: World, { row }: Change, { to, action, at, by, reason }: Move): void {
  const before = { status: row.status }
  Object.assign(row, { status: to, version: Number(row.version) + 1 })
  const why = reason === undefined ? {} : { reason }
  log.write({ at, actor: by, resource, action, recordId: row.id as number, before, after: { status: to }, ...why })
}

/** A second person says yes. */
function confirm(world: World, change: Change, { at, by }: Pick<Move, 'at' | 'by'>): void {
  move(world, change, { to: 'IN_FORCE', action: 'confirm', at, by })
  Object.assign(change.row, { decided_by: by.id, in_force_at: new Date(at) })
}

export const demo: Story = {
  holds: {
    // The catalogue gives them every screen of operations; to change what money hangs on is the manager's.
    OPERATIONS: READ,
    OPERATIONS_MANAGER: [...READ, 'create', 'withdraw', 'export'],
    FINANCE: [...READ, 'create', 'withdraw', 'confirm', 'refuse', 'export'],
    AUDITOR: [...READ, 'export'],
  },
  plan: addChanges,
  // One that nobody has changed.
  enters: () => ({ key: 'gift.daysPerMonth' }),
}
