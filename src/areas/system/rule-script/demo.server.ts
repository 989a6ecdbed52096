import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, type World } from '#demo/world.server.ts'
import type { RuleScript } from './model.ts'

type Design = Pick<RuleScript, 'nodeId' | 'name' | 'type' | 'source' | 'note'> & {
  /** What it said at first, and what somebody works at. */
  readonly before?: string
  readonly draft?: string
  readonly isNew?: true
}

const SCRIPTS: readonly Design[] = [
  {
    nodeId: 'refundScore',
    name: '退款风险评分',
    type: 'script',
    note: '金额、退款次数和开课天数合成一个分数',
    before: 'return { risk: facts.amount > 200000 ? 3 : 1 }',
    source: [
      'let risk = facts.amount > 200000 ? 3 : facts.amount > 50000 ? 2 : 1',
      'if (facts.refunds > 2) risk += 2',
      'if (facts.daysLearned > 60) risk += 1',
      'return { risk }',
    ].join('\n'),
  },
  {
    nodeId: 'isRisky',
    name: '高风险退款',
    type: 'boolean_script',
    note: '分数达到 4 分需要复核',
    source: 'return facts.risk >= 4',
    draft: 'return facts.risk >= 4 || facts.payeeChanged === true',
  },
  {
    nodeId: 'isNewMember',
    name: '新学员',
    type: 'boolean_script',
    note: '注册 30 天以内',
    source: 'return facts.memberDays <= 30',
  },
  {
    nodeId: 'byCity',
    name: '按城市分配',
    type: 'switch_script',
    note: '一线城市的线索给专席',
    source: "const first = ['北京', '上海', '广州', '深圳']\nreturn first.includes(facts.city) ? 'senior' : 'standard'",
  },
  {
    nodeId: 'byScore',
    name: '按作品得分分流',
    type: 'switch_script',
    note: '得分低的作品优先点评',
    source: "return facts.score < 60 ? 'tag:urgent' : facts.score < 85 ? 'normal' : 'praise'",
  },
  {
    nodeId: 'reminders',
    name: '提醒次数',
    type: 'for_script',
    note: '连续未交作业的天数，最多 3 次',
    source: 'return Math.min(3, facts.missedDays)',
  },
  { nodeId: 'holdRefund', name: '暂缓退款', type: 'script', note: '标记为需要复核', source: 'return { hold: true }' },
  { nodeId: 'senior', name: '专席', type: 'script', note: '', source: "return { desk: 'senior' }" },
  { nodeId: 'standard', name: '普通席', type: 'script', note: '', source: "return { desk: 'standard' }" },
  {
    nodeId: 'remind',
    name: '提醒学员',
    type: 'script',
    note: '记录第几次提醒',
    source: 'return { reminded: _meta.loopIndex + 1 }',
  },
  {
    nodeId: 'weekendDelay',
    name: '周末顺延',
    type: 'script',
    note: '周末提交的申请顺延到周一',
    source: 'return { delayDays: facts.weekday === 6 ? 2 : facts.weekday === 7 ? 1 : 0 }',
    isNew: true,
  },
]

function end(world: World): void {
  const scripts = SCRIPTS.map(design => ({ ...design, id: world.ids.named('rule_script', design.nodeId) }))
  world.rows.add(
    'rule_script',
    scripts.map(({ id, nodeId, name, type, source, note, before, draft, isNew }) => ({
      id,
      node_id: nodeId,
      name,
      type,
      source: isNew ? '' : source,
      note,
      edition: isNew ? 0 : before ? 2 : 1,
      status: isNew ? 'DRAFT' : draft ? 'CHANGED' : 'PUBLISHED',
      created_at: world.since,
    })),
  )
  world.rows.add(
    'rule_script_edition',
    scripts.flatMap(script => editionsOf(world, script)),
  )
}

function editionsOf(world: World, { id, name, note, source, before, draft, isNew }: Design & { id: number }) {
  const [writer, manager] = [colleague(world, 'OPERATIONS'), colleague(world, 'OPERATIONS_MANAGER')]
  const drafted = { script_id: id, restores: null, drafted_by: writer.id, drafted_at: world.since }
  const published = { ...drafted, published_by: manager.id, published_at: world.since }
  const open = { ...drafted, edition: null, published_by: null, published_at: null, state: 'DRAFT' as const }
  const body = (text: string) => ({ name, note, source: text })
  const next = () => world.ids.next('rule_script_edition')
  if (isNew) return [{ ...open, id: next(), base: 0, body: body(source) }]
  const last = before ? 2 : 1
  return [
    ...(before
      ? [{ ...published, id: next(), state: 'SUPERSEDED' as const, base: 0, edition: 1, body: body(before) }]
      : []),
    { ...published, id: next(), state: 'PUBLISHED' as const, base: last - 1, edition: last, body: body(source) },
    ...(draft ? [{ ...open, id: next(), base: last, body: body(draft) }] : []),
  ]
}

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, 'create', 'update', 'delete', 'export', 'drafts', 'discard', 'try'],
    OPERATIONS_MANAGER: ['publish', 'restore'],
    AUDITOR: [...READ, 'drafts'],
  },
  end,
}
