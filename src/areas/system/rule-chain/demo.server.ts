import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, type World } from '#demo/world.server.ts'
import type { RuleChain } from './model.ts'

type Design = Pick<RuleChain, 'chainId' | 'name' | 'source' | 'note'> & {
  /** What it said at first, and what somebody works at. */
  readonly before?: string
  readonly draft?: string
  readonly isNew?: true
  readonly isOff?: true
}

const CHAINS: readonly Design[] = [
  {
    chainId: 'refundRisk',
    name: '退款风险',
    note: '退款提交后评分，高风险的先暂缓',
    before: 'THEN(refundScore)',
    source: ['THEN(', '  // 先评分，再判断', '  refundScore.retry(1),', '  IF(isRisky, holdRefund)', ')'].join('\n'),
  },
  {
    chainId: 'leadArrived',
    name: '线索分配',
    note: '新线索按城市分给专席或普通席',
    source: 'SWITCH(byCity).TO(senior, standard)',
    draft: 'IF(isNewMember, SWITCH(byCity).TO(senior, standard)).ELSE(standard)',
  },
  {
    chainId: 'workTriage',
    name: '作品分流',
    note: '得分低的作品优先点评',
    source: 'SWITCH(byScore).TO(senior.tag("urgent")).DEFAULT(standard)',
    isOff: true,
  },
  {
    chainId: 'missedWork',
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
    chains.map(({ id, chainId, name, source, note, before, draft, isNew, isOff }) => ({
      id,
      chain_id: chainId,
      name,
      source: isNew ? '' : source,
      note,
      enabled: !isOff,
      edition: isNew ? 0 : before ? 2 : 1,
      status: isNew ? 'DRAFT' : draft ? 'CHANGED' : 'PUBLISHED',
      created_at: world.since,
    })),
  )
  world.rows.add(
    'rule_chain_edition',
    chains.flatMap(chain => editionsOf(world, chain)),
  )
}

function editionsOf(world: World, { id, name, note, source, before, draft, isNew, isOff }: Design & { id: number }) {
  const [writer, manager] = [colleague(world, 'OPERATIONS'), colleague(world, 'OPERATIONS_MANAGER')]
  const drafted = { chain_record_id: id, restores: null, drafted_by: writer.id, drafted_at: world.since }
  const published = { ...drafted, published_by: manager.id, published_at: world.since }
  const open = { ...drafted, edition: null, published_by: null, published_at: null, state: 'DRAFT' as const }
  const body = (text: string) => ({ name, note, enabled: !isOff, source: text })
  const next = () => world.ids.next('rule_chain_edition')
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
