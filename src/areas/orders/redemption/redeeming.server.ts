import { findMember, type KnownMember, requireActive } from '#areas/members/member/known.server.ts'
import { payOrder, undoOrder } from '#areas/orders/order/paying.server.ts'
import { placeOrder, type Receiver } from '#areas/orders/order/placing.server.ts'
import { type FoundCode, moveCode } from '#areas/products/code-batch/codes.server.ts'
import type { Grant } from '#engines/entitlement/model.ts'
import { undoRedemption } from '#engines/entitlement/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { anyReference } from '#kit/model/field.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import { record } from '#kit/server/change/audit.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Redemption, resource } from './model.ts'

const { key } = resource.screen

export type Batch = {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly grants: Grant[]
  readonly validFrom: string
  readonly validTo: string
  readonly perPerson: number
}

/** The batch of a code; held, so that it is not paused or closed before what follows is stored. */
export async function batchOf(tx: Pick<Tx, 'selectFrom'>, id: string, held: boolean): Promise<Batch> {
  const query = tx
    .selectFrom('code_batch')
    .select(['id', 'name', 'status', 'grants', 'valid_from', 'valid_to', 'per_person'])
    .where('id', '=', id)
  const row = await (held ? query.forNoKeyUpdate() : query).executeTakeFirstOrThrow()
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    grants: row.grants as Grant[],
    validFrom: row.valid_from,
    validTo: row.valid_to,
    perPerson: row.per_person,
  }
}

/** Why a code of this batch cannot be redeemed today, whoever asks. */
export function whyNotRedeem(
  { status, validFrom, validTo }: Pick<Batch, 'status' | 'validFrom' | 'validTo'>,
  code: Pick<FoundCode, 'status'>,
  today: string,
): Refusal | undefined {
  if (code.status === 'REDEEMED') return refuse('code-redeemed')
  if (code.status === 'VOID') return refuse('code-void')
  if (status === 'PAUSED') return refuse('batch-paused')
  if (status === 'CLOSED') return refuse('batch-closed')
  if (status !== 'ACTIVE') return refuse('batch-not-active')
  if (today < validFrom) return refuse('not-yet-valid', { day: validFrom })
  if (today > validTo) return refuse('expired', { day: validTo })
}

/** Turns a code into an order of nothing that gives what the code gives. Answers the redemption. */
export async function redeem(
  op: Operation,
  code: FoundCode,
  given: { memberId: string; receiver: Receiver | undefined },
): Promise<string> {
  const member = await requireMember(op, given.memberId)
  const batch = await batchOf(op.tx, code.batchId, true)
  const refusal = whyNotRedeem(batch, await freshState(op.tx, code), dayOf(op.now))
  if (refusal) throw new Refused(refusal)
  if (!given.receiver && batch.grants.some(({ kind }) => kind === 'GOODS')) {
    const needed = refuse('orders/order:receiver-needed')
    throw onField('receiverName', needed)
  }
  await requireWithinLimit(op.tx, batch, member.id)
  if (!(await moveCode(op.tx, code, 'UNUSED', 'REDEEMED'))) throw new Refused(refuse('code-redeemed'))
  const order = await placeOrder(op, {
    member,
    lines: [
      { product: null, name: batch.name, quantity: 1, listFen: 0, amountFen: 0, grants: batch.grants, mayWait: true },
    ],
    source: 'REDEMPTION',
    receiver: given.receiver,
  })
  if (!order) throw new Error('our own numbers are free')
  const { id } = await op.tx
    .insertInto('redemption')
    .values({
      redemption_no: await nextNumber(op, 'E'),
      code_id: code.id,
      batch_id: batch.id,
      last4: code.last4,
      member_id: member.id,
      order_id: order.id,
      staff_id: op.actor.id,
      owner_id: member.ownerId,
      org_id: member.orgId,
      created_at: op.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await payOrder(
    op,
    { id: order.id, memberId: member.id, payState: 'UNPAID', amountFen: 0, soldBy: member.ownerId },
    { source: 'CODE', redemptionId: id },
  )
  await record(op.tx, op.call, { page: key, action: 'redeem', recordId: id, diff: { status: [null, 'DONE'] } })
  return id
}

/** Locked before anything else: of two codes at once for one member, the second sees the first. */
async function requireMember(op: Operation, memberId: string): Promise<KnownMember> {
  const member = await findMember(op.tx, { memberId })
  await requireOffered(op, { page: key, shape: { memberId: anyReference('member') } }, { memberId })
  if (!member) throw new Error(`member ${memberId} was offered, and is not there`)
  requireActive(member)
  return member
}

const freshState = (tx: Tx, { id }: Pick<FoundCode, 'id'>) =>
  tx.selectFrom('redemption_code').select('status').where('id', '=', id).executeTakeFirstOrThrow() as Promise<
    Pick<FoundCode, 'status'>
  >

async function requireWithinLimit(tx: Tx, { id, perPerson }: Batch, memberId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('redemption')
    .select(eb => eb.fn.countAll<string>().as('count'))
    .where('batch_id', '=', id)
    .where('member_id', '=', memberId)
    .where('status', '=', 'DONE')
    .executeTakeFirstOrThrow()
  if (Number(count) >= perPerson) throw new Refused(refuse('per-person', { count: perPerson }))
}

/** Everything back as it was: the rights, the goods not yet sent, the order, and the code, which can be redeemed again. */
export async function undo(op: Operation, row: Redemption): Promise<Partial<Redemption>> {
  await undoRedemption(op, row.memberId, row.id)
  await undoOrder(op, row.orderId)
  const { code_id: id } = await op.tx
    .selectFrom('redemption')
    .select('code_id')
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  const batch = await batchOf(op.tx, row.batchId, true)
  // A closed batch has no codes left to redeem.
  const to = batch.status === 'CLOSED' ? 'VOID' : 'UNUSED'
  if (!(await moveCode(op.tx, { id, batchId: batch.id }, 'REDEEMED', to)))
    throw new Error(`the code of ${row.redemptionNo} is not redeemed`)
  return { undoneAt: op.now.toISOString() }
}
