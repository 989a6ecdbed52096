import type { NewRow } from '#demo/insert-rows.server.ts'
import type { World } from '#demo/world.server.ts'
import { dayOf } from '#kit/model/time.ts'
import { accountsIn } from './demo-accounts.server.ts'

type Added = { readonly staffId: string; readonly at: Date } & (
  | { readonly how: 'LEAD'; readonly leadId: number }
  | { readonly how: 'CONTACT'; readonly contactId: number }
)

/** Somebody was added with the account this colleague had then, if there was one. */
export function addedInDemo(world: World, added: Added): void {
  const kind = added.how === 'CONTACT' ? 'WECOM' : 'WECHAT'
  const held = accountsIn(world).find(
    ({ account, spans }) => account.kind === kind && spans.some(span => isOf(span, added.staffId, added.at)),
  )
  if (!held) return
  const { account } = held
  world.rows.add('chat_account_add', [
    {
      account_id: Number(account.id),
      staff_id: added.staffId,
      how: added.how,
      lead_id: added.how === 'LEAD' ? added.leadId : null,
      contact_id: added.how === 'CONTACT' ? added.contactId : null,
      at: added.at,
    },
  ])
  const today = dayOf(world.now)
  if (dayOf(added.at) !== today) return
  Object.assign(account, { used_on: today, used_today: Number(account.used_today) + 1 })
}

const isOf = ({ staff_id, since, until }: NewRow<'chat_account_holder'>, staffId: string, at: Date): boolean =>
  staff_id === staffId && Number(since) <= at.getTime() && (until == null || Number(until) > at.getTime())
