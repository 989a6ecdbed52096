import { saidBy } from '#areas/members/member/demo-consent.server.ts'
import { type Member, membersOf } from '#areas/members/member/demo-joining.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, colleague, DAY_MS, HOUR_MS, instant, type World } from '#demo/world.server.ts'
import { defaultsOf } from '#kit/model/setting.ts'
import { type Campaign, costOf } from './model.ts'
import type { CampaignNumber } from './numbers/model.ts'
import { settings } from './settings.model.ts'

const chance = chanceOf('members/campaign')
const { hundredFen } = defaultsOf(settings)

const TEMPLATE = 'AUTUMN-OFFER'
const BODY = '{name}家长您好，秋季班老学员立减 ¥200.00，名额有限。拒收请回复R'

type Fate = Pick<CampaignNumber, 'status' | 'cause'>
const FATES: readonly (readonly [Fate, number])[] = [
  [{ status: 'DELIVERED', cause: null }, 90],
  [{ status: 'FAILED', cause: 'SWITCHED_OFF' }, 4],
  [{ status: 'FAILED', cause: 'BAD_ADDRESS' }, 2],
  [{ status: 'UNKNOWN', cause: 'NO_ANSWER' }, 4],
]

type Design = {
  readonly name: string
  readonly status: Campaign['status']
  readonly channel: string
  readonly daysAgo: number
  readonly needsApproval: boolean
}
const CAMPAIGNS: readonly Design[] = [
  { name: '秋季班老学员回馈', status: 'DONE', channel: 'DOUYIN_LIVE', daysAgo: 40, needsApproval: false },
  { name: '公益课学校秋季优惠', status: 'CANCELLED', channel: 'SCHOOL', daysAgo: 25, needsApproval: false },
  { name: '微信小店学员秋季优惠', status: 'DONE', channel: 'WECHAT_SHOP', daysAgo: 12, needsApproval: false },
  { name: '小红书学员秋季优惠', status: 'PAUSED', channel: 'XIAOHONGSHU_NOTE', daysAgo: 2, needsApproval: false },
  { name: '老学员推荐秋季优惠', status: 'DRAFT', channel: 'REFERRAL', daysAgo: 1, needsApproval: true },
]

/** Half of a campaign that was paused has left. */
function fateOf(world: World, { status }: Design, member: Member, at: number, nth: number): Fate {
  const said = saidBy(world, member, 'MARKETING', at)
  if (said !== 'GIVEN') return { status: 'WITHHELD', cause: said === undefined ? 'NO_CONSENT' : 'OPTED_OUT' }
  if (status === 'CANCELLED') return { status: 'CANCELLED', cause: null }
  if (status === 'DRAFT' || (status === 'PAUSED' && nth % 2 === 1)) return { status: 'WAITING', cause: null }
  return chance(world).weighted(FATES)
}

function add(world: World, design: Design): void {
  const at = world.now.getTime() - design.daysAgo * DAY_MS
  const id = world.ids.next('campaign')
  const members = membersOf(world).filter(({ channel, createdAt }) => channel === design.channel && createdAt < at)
  const rows = members.map((member, nth): NewRow<'campaign_number'> => {
    const fate = fateOf(world, design, member, at, nth)
    const billed = fate.status === 'DELIVERED' || fate.status === 'UNKNOWN' || fate.cause === 'SWITCHED_OFF' ? 1 : 0
    const whose = { campaign_id: id, member_id: member.id, phone: member.phone, name: member.name }
    return { ...whose, ...fate, parts: 1, billed_parts: billed, state_since: new Date(at + HOUR_MS) }
  })
  world.rows.add('campaign', [rowOf(world, design, id, at, rows)])
  world.rows.add('campaign_number', rows)
}

function rowOf(world: World, design: Design, id: number, at: number, rows: readonly NewRow<'campaign_number'>[]) {
  const { name, status, channel, needsApproval } = design
  const [author, manager] = [colleague(world, 'OPERATIONS'), colleague(world, 'OPERATIONS_MANAGER')]
  const of = (wanted: CampaignNumber['status']) => rows.filter(row => row.status === wanted).length
  const billed = rows.reduce((sum, row) => sum + (row.billed_parts ?? 0), 0)
  const hasBegun = status === 'DONE' || status === 'PAUSED'
  const isOver = status === 'DONE' || status === 'CANCELLED'
  return {
    ...{ id, name, status, audience_by: 'FILTER' as const, channels: [channel] },
    template_id: world.ids.named('message_template', TEMPLATE),
    edition_id: world.ids.named('message_template_edition', `${TEMPLATE} 1`),
    ...{ code: TEMPLATE, title: '秋季班优惠', body: BODY, provider_code: 'SMS_2714' },
    filled: [{ name: 'off', value: '¥200.00' }],
    ...{ members: rows.length, to_send: of('WAITING'), delivered: of('DELIVERED'), failed: of('FAILED') },
    ...{ unknown: of('UNKNOWN'), withheld: of('WITHHELD'), cancelled: of('CANCELLED'), billed_parts: billed },
    hundred_fen: hundredFen,
    cost_fen: costOf(rows.length - of('WITHHELD'), hundredFen),
    spent_fen: costOf(billed, hundredFen),
    needs_approval: needsApproval,
    approver_id: needsApproval && status !== 'DRAFT' ? manager.id : null,
    start_at: instant(hasBegun ? at + HOUR_MS : null),
    started_at: instant(hasBegun ? at + HOUR_MS : null),
    ended_at: instant(isOver ? at + 2 * HOUR_MS : null),
    ...{ author_id: author.id, owner_id: author.id, org_id: author.orgId, created_at: new Date(at) },
  }
}

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, 'create', 'sample', 'schedule', 'sendAgain', 'pause', 'resume', 'cancel'],
    OPERATIONS_MANAGER: ['approve', 'export'],
    AUDITOR: READ,
  },
  end(world) {
    for (const design of CAMPAIGNS) add(world, design)
  },
  // What the advertisement leaves open.
  enters: () => ({ filled: [{ name: 'off', value: '¥200.00' }] }),
}
