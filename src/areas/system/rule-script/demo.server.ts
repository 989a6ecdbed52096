import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import type { World } from '#demo/world.server.ts'
import { editionsOf, HOLDS_RULES, standingOf, type Told } from '../demo-editions.server.ts'
import type { RuleScript } from './model.ts'

type Design = Told & Pick<RuleScript, 'nodeId' | 'name' | 'type' | 'note'>

const SCRIPTS: readonly Design[] = [
  {
    nodeId: 'refundScore',
    name: '退款风险评分',
    type: 'script',
    note: '金额、退款次数和付款后天数合成一个分数',
    before: 'return { risk: facts.amountFen > 200000 ? 3 : 1 }',
    source: [
      'let risk = facts.amountFen > 200000 ? 3 : facts.amountFen > 50000 ? 2 : 1',
      'if (facts.refundsBefore > 2) risk += 2',
      'if (facts.daysSincePaid > 60) risk += 1',
      'return { risk }',
    ].join('\n'),
  },
  {
    nodeId: 'isRisky',
    name: '高风险退款',
    type: 'boolean_script',
    note: '分数达到 4 分需要复核',
    source: 'return facts.risk >= 4',
    draft: 'return facts.risk >= 4 || facts.isOtherPayee',
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
    scripts.map(({ id, nodeId, name, type, note, ...told }) => ({
      id,
      node_id: nodeId,
      name,
      type,
      note,
      ...standingOf(told),
      created_at: world.since,
    })),
  )
  world.rows.add(
    'rule_script_edition',
    scripts.flatMap(({ id, name, note, ...told }) =>
      editionsOf(world, 'rule_script_edition', told, source => ({ name, note, source })).map(edition => ({
        ...edition,
        script_id: id,
      })),
    ),
  )
}

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, ...HOLDS_RULES.OPERATIONS],
    OPERATIONS_MANAGER: [...HOLDS_RULES.OPERATIONS_MANAGER],
    AUDITOR: [...READ, 'drafts'],
  },
  end,
}
