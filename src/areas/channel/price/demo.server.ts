import { partnerId } from '#areas/channel/app-channel/demo.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { DAYS_TO_DECIDE, resource } from './model.ts'

type Row = NewRow<'settlement_price'>
type Design = {
  readonly channel: string
  readonly kind: Row['kind']
  /** Fen for each, or a thousandth of what was paid. */
  readonly worth: number
  /** The first and the last day, counted from today. */
  readonly days: readonly [from: number, to?: number]
  readonly freeze: number
  readonly cap?: number
  readonly deduction?: number
  readonly window?: number
  readonly reason: string
  readonly status?: 'SUBMITTED' | 'REJECTED'
}

const DESIGNS: readonly Design[] = [
  {
    channel: 'STORE',
    kind: 'REGISTERED',
    worth: 1_200,
    days: [-722],
    freeze: 0,
    cap: 40,
    reason: '首次合作，按注册结算',
  },
  {
    channel: 'STORE',
    kind: 'ACTIVATED',
    worth: 800,
    days: [-192],
    freeze: 0,
    window: 30,
    reason: '注册 30 天内交作品另付',
  },
  {
    channel: 'STORE',
    kind: 'REGISTERED',
    worth: 1_500,
    days: [-95],
    freeze: 0,
    cap: 8,
    deduction: 30,
    reason: '暑期提价，约定核减 3%',
  },
  { channel: 'DOUYIN_LIVE', kind: 'SHARE', worth: 120, days: [-690], freeze: 15, reason: '直播分成 12%' },
  { channel: 'DOUYIN_LIVE', kind: 'SHARE', worth: 100, days: [-70], freeze: 15, reason: '淡季调为 10%' },
  {
    channel: 'DOUYIN_VIDEO',
    kind: 'FIRST_ORDER',
    worth: 3_000,
    days: [-188],
    freeze: 7,
    window: 60,
    reason: '首单付款 30 元',
  },
  { channel: 'SCHOOL', kind: 'REGISTERED', worth: 600, days: [-184, 20], freeze: 0, reason: '进校园活动，到期另议' },
  { channel: 'WECHAT_SHOP', kind: 'SHARE', worth: 80, days: [-150], freeze: 15, reason: '达人带货分成 8%' },
  { channel: 'SUMMER_CAMP', kind: 'REGISTERED', worth: 900, days: [-140], freeze: 0, reason: '训练营报名每人 9 元' },
  {
    channel: 'DOUYIN_VIDEO',
    kind: 'FIRST_ORDER',
    worth: 3_600,
    days: [12],
    freeze: 7,
    window: 60,
    reason: '对方申请提价到 36 元',
    status: 'SUBMITTED',
  },
  { channel: 'SCHOOL', kind: 'SHARE', worth: 200, days: [-40], freeze: 30, reason: '改按分成 20%', status: 'REJECTED' },
]

function end(world: World): void {
  const today = dayOf(world.now)
  const [applicant, boss] = [colleague(world, 'OPERATIONS'), colleague(world, 'OPERATIONS_MANAGER')]
  for (const { channel, kind, worth, days, freeze, cap, deduction = 0, window, reason, status } of DESIGNS) {
    const id = world.ids.next('settlement_price')
    // Asked for three days before it begins at the latest, and decided on the day after.
    const at = Math.min(world.now.getTime() - HOUR_MS, world.now.getTime() + (days[0] - 4) * DAY_MS)
    const decided = at + DAY_MS
    const row = {
      ...{
        id,
        partner_id: partnerId(world, channel),
        kind,
        reason,
        freeze_days: freeze,
        deduction_permille: deduction,
      },
      price_fen: kind === 'SHARE' ? null : worth,
      share_permille: kind === 'SHARE' ? worth : null,
      ...{ window_days: window ?? null, monthly_cap: cap ?? null },
      valid_from: addDays(today, days[0]),
      valid_to: days[1] === undefined ? null : addDays(today, days[1]),
      status: status ?? ('APPROVED' as const),
      ...{ applicant_id: applicant.id, l1_by: status ? null : boss.id },
      expires_at: new Date(at + DAYS_TO_DECIDE * DAY_MS),
      ended_at: status === 'SUBMITTED' ? null : new Date(decided),
      created_at: new Date(at),
    }
    world.rows.add('settlement_price', [row])
    world.log.write({ at, actor: applicant, resource, action: 'create', recordId: id, after: { kind, reason } })
    if (status === 'SUBMITTED') continue
    world.log.write({
      ...{
        at: decided,
        actor: boss,
        resource,
        recordId: id,
        before: { status: 'SUBMITTED' },
        after: { status: row.status },
      },
      action: status === 'REJECTED' ? 'reject' : 'approve',
      reason: status === 'REJECTED' ? '分成过高，超出预算' : undefined,
    })
  }
}

const ASK = [...READ, 'create', 'withdraw', 'export'] as const

export const demo: Story = {
  holds: {
    OPERATIONS: ASK,
    OPERATIONS_MANAGER: ['approve', 'reject', 'end'],
    FINANCE: READ,
    AUDITOR: READ,
  },
  end,
  // For each registration.
  enters: () => ({ kind: 'REGISTERED', priceFen: 1_000, sharePermille: null }),
}
