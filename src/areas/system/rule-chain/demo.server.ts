import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import type { World } from '#demo/world.server.ts'
import { editionsOf, HOLDS_RULES, standingOf, type Told } from '../demo-editions.server.ts'
import type { RuleChain } from './model.ts'

type Design = Told & Pick<RuleChain, 'chainId' | 'name' | 'note' | 'event'> & { readonly isOff?: true }

const CHAINS: readonly Design[] = [
  {
    chainId: 'refundRisk',
    event: 'refundSubmitted',
    name: '退款风险',
    note: '退款提交后评分，高风险的先暂缓',
    before: 'THEN(refundScore)',
    source: [
      'THEN(',
      '  // 先评分，再判断',
      '  refundScore.retry(1),',
      '  IF(isRisky, holdRefund.bind("reason", "风险评分达到 4 分"))',
      ')',
    ].join('\n'),
  },
  {
    chainId: 'leadArrived',
    event: 'leadArrived',
    name: '线索分配',
    note: '新线索轮流分给销售一组；抖音来的分给二组',
    source: 'THEN(dealLead.bind("department", "SALES_TEAM_1"))',
    draft: [
      'IF(',
      '  isText.bind("fact", "source").bind("text", "DOUYIN"),',
      '  dealLead.bind("department", "SALES_TEAM_2")',
      ').ELSE(dealLead.bind("department", "SALES_TEAM_1"))',
    ].join('\n'),
    isOff: true,
  },
  {
    chainId: 'workTriage',
    event: 'workHandedIn',
    name: '作品分流',
    note: '第三次以后再交的作品，点评后复核',
    source: 'IF(over.bind("fact", "attempt").bind("than", 2), reviewWork).ELSE(usualQueue)',
    draft: [
      'THEN(',
      '  IF(',
      '    over.bind("fact", "attempt").bind("than", 2),',
      '    THEN(reviewWork, notify.bind("to", "carer").bind("text", "第三次以后再交，请先看上一次的点评"))',
      '  ).ELSE(usualQueue),',
      '  // 交满三十份的学员，坚持打卡',
      '  IF(over.bind("fact", "worksBefore").bind("than", 29), setTag.bind("tag", "DILIGENT"))',
      ')',
    ].join('\n'),
  },
  {
    chainId: 'missedWork',
    event: null,
    name: '未交作业提醒',
    note: '最多提醒三次',
    source: 'FOR(reminders).DO(remind)',
    isNew: true,
  },
]

function end(world: World): void {
  const chains = CHAINS.map(design => ({ ...design, id: world.ids.named('rule_chain', design.chainId) }))
  world.rows.add(
    'rule_chain',
    chains.map(({ id, chainId, name, note, event, isOff, ...told }) => ({
      id,
      chain_id: chainId,
      name,
      note,
      event,
      enabled: !isOff,
      ...standingOf(told),
      created_at: world.since,
    })),
  )
  world.rows.add(
    'rule_chain_edition',
    chains.flatMap(({ id, name, note, event, isOff, ...told }) =>
      editionsOf(world, 'rule_chain_edition', told, source => ({ name, event, note, enabled: !isOff, source })).map(
        edition => ({ ...edition, chain_record_id: id }),
      ),
    ),
  )
}

export const demo: Story = {
  holds: {
    OPERATIONS: [...READ, ...HOLDS_RULES.OPERATIONS],
    OPERATIONS_MANAGER: [...HOLDS_RULES.OPERATIONS_MANAGER, 'acknowledge'],
    AUDITOR: [...READ, 'drafts'],
  },
  end,
  // One of them decides about an event already.
  enters: () => ({ event: null }),
}
