import { sql } from 'kysely'
import { placeOf } from '#areas/members/member/handing-over.server.ts'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { type AccountState, giveAccount, lockAccount, returnAccount } from '#areas/sales/chat-account/holding.server.ts'
import { nextNumber, numbersKept } from '#engines/sequence/server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { serveRequests } from '#kit/server/serve/serve-requests.ts'
import { type AccountRequest, requests, resource, workflow } from './model.ts'

const served = serveRequests(resource, workflow, requests, {
  begin: async op => ({ ownerId: op.actor.id, orgId: op.actor.orgId, requestNo: await nextNumber(op, 'X') }),
  // The account before what is asked for of it, as everywhere.
  async lock({ tx }, id) {
    const found = await tx
      .selectFrom('chat_account_request')
      .select('chat_account_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (found?.chat_account_id) await lockAccount(tx, found.chat_account_id)
  },
  constraints: {
    chat_account_request_open: { code: 'already-asked', field: 'chatAccountId' },
    chat_account_request_own: { code: 'already-asked', field: 'accountKind' },
  },
  kinds: {
    OPEN: { grant: grantOpen },
    TRANSFER: { asked: accountAsked, grant: grantTransfer },
    RECOVER: { asked: accountAsked, grant: grantRecover },
  },
  effects: {
    async handOut(op, request, { chatAccountId }) {
      const account = await lockAccount(op.tx, String(chatAccountId))
      if (account?.status !== 'IDLE') throw onField('chatAccountId', refuse('not-free'))
      return { chatAccountId: account.id, ...(await give(op, account, request.applicantId, 'chatAccountId')) }
    },
    async giveBack(op, request) {
      const account = await heldStill(op, request, request.applicantId)
      await returnAccount(op, account, 'RETURNED')
      return { returnedAt: op.now.toISOString() }
    },
  },
})

/** Of an account somebody has; it may be the applicant's, or one of those the applicant looks after. */
async function accountAsked(op: Operation, { chatAccountId, toId }: AccountRequest): Promise<Partial<AccountRequest>> {
  const account = await lockAccount(op.tx, String(chatAccountId))
  if (!account?.ownerId) throw onField('chatAccountId', refuse('nobody-holds'))
  if (toId === account.ownerId) throw onField('toId', refuse('holds-already'))
  return { holderId: account.ownerId }
}

/** One that is free and kept by the applicant's department, the longest there first; where there is none, somebody hands one out later. */
async function grantOpen(op: Operation, request: AccountRequest): Promise<Partial<AccountRequest>> {
  const { rows } = await sql<AccountState>`
    select a.id, a.status, a.owner_id as "ownerId", a.nickname from chat_account a join staff s on s.id = ${request.applicantId}
    where a.status = 'IDLE' and a.kind = ${request.accountKind} and a.org_id = s.org_id
    order by a.id limit 1 for update of a skip locked`.execute(op.tx)
  const free = rows[0]
  return free ? { chatAccountId: free.id, ...(await give(op, free, request.applicantId, 'applicantId')) } : {}
}

async function grantTransfer(op: Operation, request: AccountRequest): Promise<Partial<AccountRequest>> {
  const account = await heldStill(op, request, request.holderId)
  if (account.status === 'BLOCKED') throw new Refused(refuse('is-blocked'))
  return give(op, account, String(request.toId), 'toId')
}

async function grantRecover(op: Operation, request: AccountRequest): Promise<Partial<AccountRequest>> {
  const account = await heldStill(op, request, request.holderId)
  await returnAccount(op, account, 'RECLAIMED')
  return { doneAt: op.now.toISOString() }
}

async function give(op: Operation, account: AccountState, toId: string, field: string) {
  await giveAccount(op, account, await placeOf(op.tx, toId, field), 'REQUESTED')
  return { doneAt: op.now.toISOString() }
}

/** It may have gone elsewhere since it was asked for: then nobody knows what was meant. */
async function heldStill(
  { tx }: Operation,
  { chatAccountId }: AccountRequest,
  holderId: string | null,
): Promise<AccountState> {
  const account = await lockAccount(tx, String(chatAccountId))
  if (!account || account.ownerId !== holderId) throw new Refused(refuse('went-on'))
  return account
}

export const { routes, jobs } = served
export const listeners: readonly Listener[] = [
  listen(staffHandedOver, async ({ tx }, { fromId, toId, orgId }) => {
    await sql`update chat_account_request set owner_id = ${toId}, org_id = ${orgId} where owner_id = ${fromId}`.execute(
      tx,
    )
  }),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update chat_account_request set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
  }),
]
export const invariants: readonly Invariant[] = [
  ...numbersKept('X', { table: 'chat_account_request', no: 'request_no', givenAt: 'created_at' }),
  ...served.invariants,
  {
    name: 'an account that was asked for and given has its span since then',
    query: `
      select r.id, r.request_no from chat_account_request r
      where r.kind <> 'RECOVER' and r.done_at is not null and not exists (
        select from chat_account_holder h where h.account_id = r.chat_account_id and h.got = 'REQUESTED' and h.since = r.done_at
          and h.staff_id = case r.kind when 'OPEN' then r.applicant_id else r.to_id end)`,
  },
]
