import { accountsIn } from '#areas/sales/chat-account/demo-accounts.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { resource } from './model.ts'

type Row = NewRow<'chat_account_request'>
type Asked = Pick<Row, 'kind' | 'reason'> & {
  readonly by: Colleague
  readonly at: number
  readonly status: Row['status']
  readonly fields?: Partial<Row>
  readonly no?: string
}

/** Those whose second account was asked for, one that waits to be handed out, and some that wait for a decision. */
function end(world: World): void {
  const now = world.now.getTime()
  const wechat = accountsIn(world).filter(({ account, spans }) => account.kind === 'WECHAT' && spans.length > 0)
  for (const { account, spans } of [wechat[1], wechat[4]].filter(held => held !== undefined)) {
    const [span] = spans
    const holder = world.staff.find(({ id }) => id === span?.staff_id)
    if (!span || !holder) continue
    Object.assign(span, { got: 'REQUESTED' })
    const done = span.since as Date
    const fields = { account_kind: 'WECHAT', chat_account_id: account.id, done_at: done } as const
    add(world, {
      kind: 'OPEN',
      by: holder,
      at: done.getTime() - 4 * HOUR_MS,
      status: 'APPROVED',
      fields,
      reason: '企业微信好友已近上限，需要再开一个',
    })
  }
  const sellers = world.staff.filter(
    ({ role, enabled, org }) => role === 'SALES' && enabled && org.startsWith('SALES_'),
  )
  const [asker = colleague(world, 'SALES'), second = asker, third = asker] = sellers
  const ask = (ago: number, asked: Omit<Asked, 'at'>) => add(world, { ...asked, at: now - ago * DAY_MS })
  const held = (of: Colleague) => accountsIn(world).find(({ account }) => account.owner_id === of.id)?.account.id
  const other = { chat_account_id: held(third), holder_id: third.id } as const
  ask(38, {
    kind: 'RECOVER',
    by: third,
    status: 'REJECTED',
    reason: '不想再用两个微信',
    no: '手上还有家长在沟通，月底再收',
    fields: other,
  })
  ask(20, {
    kind: 'OPEN',
    by: second,
    status: 'WITHDRAWN',
    reason: '新线索太多，想再开一个',
    fields: { account_kind: 'WECOM' },
  })
  ask(2, {
    kind: 'OPEN',
    by: asker,
    status: 'APPROVED',
    reason: '企业微信加友接近上限，需要再开一个',
    fields: { account_kind: 'WECOM' },
  })
  ask(0.4, {
    kind: 'OPEN',
    by: second,
    status: 'SUBMITTED',
    reason: '接手离职同事的线索，需要单独的微信跟进',
    fields: { account_kind: 'WECHAT' },
  })
  if (other.chat_account_id !== undefined)
    ask(0.2, {
      kind: 'TRANSFER',
      by: third,
      status: 'SUBMITTED',
      reason: '转去做续费，把这个微信交给同组同事',
      fields: { ...other, to_id: second.id },
    })
}

function add(world: World, { by, at, status, fields = {}, no, ...asked }: Asked): void {
  const id = world.ids.next('chat_account_request')
  const manager = leaderOf(world, by)
  const decided = at + 4 * HOUR_MS
  const isOpen = status === 'SUBMITTED'
  world.rows.add('chat_account_request', [
    {
      ...{ id, ...asked, status, request_no: world.numbers.next('X', at), needs_l2: false },
      ...{ applicant_id: by.id, owner_id: by.id, org_id: by.orgId, l1_by: status === 'APPROVED' ? manager.id : null },
      ...{
        created_at: new Date(at),
        state_since: new Date(isOpen ? at : decided),
        expires_at: new Date(at + 7 * DAY_MS),
      },
      ...{ ended_at: isOpen ? null : new Date(decided), version: isOpen ? 1 : 2 },
      ...{ account_kind: null, chat_account_id: null, holder_id: null, to_id: null, done_at: null, ...fields },
    },
  ])
  const line = { resource, recordId: id }
  world.log.write({ ...line, at, actor: by, action: 'create', after: { kind: asked.kind, reason: asked.reason } })
  if (isOpen) return
  const [action, actor] =
    status === 'APPROVED' ? ['approve', manager] : status === 'REJECTED' ? ['reject', manager] : ['withdraw', by]
  const after = { status, endedAt: new Date(decided).toISOString() }
  world.log.write({
    ...line,
    at: decided,
    actor: actor as Colleague,
    action: String(action),
    before: OPEN,
    after,
    reason: no,
  })
}
const OPEN = { status: 'SUBMITTED', endedAt: null }

const leaderOf = (world: World, { org }: Colleague): Colleague =>
  world.staff.find(one => one.org === org && one.role === 'SALES_MANAGER_COPY') ??
  colleague(world, 'SALES_MANAGER_COPY')

export const demo: Story = {
  holds: {
    SALES: [...READ, 'create', 'withdraw', 'giveBack'],
    SALES_MANAGER_COPY: ['approve', 'reject', 'handOut', 'export'],
    AUDITOR: READ,
  },
  end,
  // Any account of its kind.
  enters: () => ({ kind: 'OPEN', chatAccountId: null, toId: null }),
}
