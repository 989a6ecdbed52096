import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type ChatAccount, resource } from './model.ts'

/** Who is to have an account, and where that person works. */
export type Holder = { readonly id: string; readonly orgId: string }
export type Got = 'HANDED_OUT' | 'MOVED' | 'REQUESTED' | 'HANDED_OVER'
export type Ended = 'MOVED' | 'RECLAIMED' | 'RETURNED' | 'HANDED_OVER' | 'LEFT'

/** An account nobody changes from now on; nothing where there is none. */
export async function lockAccount(tx: Tx, accountId: string): Promise<AccountState | undefined> {
  const { rows } = await sql<AccountState>`
    select id, status, owner_id as "ownerId", nickname from chat_account where id = ${accountId} for update`.execute(tx)
  return rows[0]
}
export type AccountState = Pick<ChatAccount, 'id' | 'status' | 'ownerId' | 'nickname'>

/** Nobody has it any more, as the spans tell it. */
export const endSpan = ({ tx, now, call }: Change, accountId: string, how: Ended) =>
  sql`
    update chat_account_holder set until = ${now}, end_kind = ${how}, ended_by_id = ${call.actor?.id ?? null}
    where account_id = ${accountId} and until is null`.execute(tx)

/** Somebody has it from now on, and whoever had it no longer. */
export async function beginSpan(change: Change, accountId: string, holder: Holder, got: Got): Promise<void> {
  const { tx, now, call } = change
  await endSpan(change, accountId, got === 'HANDED_OVER' ? 'HANDED_OVER' : 'MOVED')
  await sql`
    insert into chat_account_holder (account_id, staff_id, org_id, since, got, by_id)
    values (${accountId}, ${holder.id}, ${holder.orgId}, ${now}, ${got}, ${call.actor?.id ?? null})`.execute(tx)
}

/** Puts an account, whose row is locked, into somebody's hands otherwise than on its own page. */
export async function giveAccount(change: Change, account: AccountState, holder: Holder, got: Got): Promise<void> {
  await beginSpan(change, account.id, holder, got)
  const status = account.status === 'IDLE' ? 'IN_USE' : account.status
  await sql`
    update chat_account set status = ${status}, owner_id = ${holder.id}, org_id = ${holder.orgId}, owner_since = ${change.now},
      version = version + 1 where id = ${account.id}`.execute(change.tx)
  await tell(change, account.status === 'IDLE' ? 'handOut' : 'moveOn', account, { status, ownerId: holder.id })
}

/** Takes an account, whose row is locked, out of somebody's hands otherwise than on its own page: its department keeps it. */
export async function returnAccount(change: Change, account: AccountState, how: Ended): Promise<void> {
  await endSpan(change, account.id, how)
  const status = account.status === 'IN_USE' ? 'IDLE' : account.status
  await sql`
    update chat_account set status = ${status}, owner_id = null, owner_since = null, version = version + 1
    where id = ${account.id}`.execute(change.tx)
  await tell(change, 'reclaim', account, { status, ownerId: null })
}

/** What happens to an account elsewhere stands in its history too. */
const tell = (
  { tx, call }: Change,
  action: 'handOut' | 'moveOn' | 'reclaim' | 'restore',
  before: Pick<AccountState, 'id' | 'status' | 'ownerId'>,
  after: Partial<Pick<AccountState, 'status' | 'ownerId'>>,
) => record(tx, call, { page: resource.screen.key, action, recordId: before.id, diff: diffOf(resource, before, after) })

/** Accounts whose limit is over work again. */
export async function liftLimits(change: Change): Promise<number> {
  const { rows } = await sql<AccountState>`
    select id, status, owner_id as "ownerId", nickname from chat_account
    where status = 'LIMITED' and limited_until <= ${change.now} order by id for update`.execute(change.tx)
  for (const account of rows) {
    const status = account.ownerId === null ? 'IDLE' : 'IN_USE'
    await sql`
      update chat_account set status = ${status}, limited_until = null, version = version + 1 where id = ${account.id}`.execute(
      change.tx,
    )
    await tell(change, 'restore', account, { status })
  }
  return rows.length
}

/** What is somebody's when that person leaves goes back to the department; of who stays, to whoever takes over. */
export async function handOverAccounts(
  change: Change,
  { fromId, toId, orgId, isLeave }: { fromId: string; toId: string; orgId: string; isLeave: boolean },
): Promise<void> {
  const { rows } = await sql<AccountState>`
    select id, status, owner_id as "ownerId", nickname from chat_account where owner_id = ${fromId} order by id for update`.execute(
    change.tx,
  )
  for (const account of rows)
    if (isLeave) await returnAccount(change, account, 'LEFT')
    else await giveAccount(change, account, { id: toId, orgId }, 'HANDED_OVER')
}
