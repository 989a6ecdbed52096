import type { Operation } from '#kit/server/change/operation.ts'
import { attach } from '#kit/server/storage/file.ts'
import { flagsOf, resource } from './model.ts'

export type Asked = {
  readonly order: {
    readonly id: string
    readonly memberId: string
    readonly listFen: number
    readonly ownerId: string | null
    readonly orgId: string | null
  }
  readonly kind: 'OFFLINE' | 'PRICE'
  readonly amountFen: number
  readonly beforeFen: number
  readonly note: string
  readonly proof?: readonly string[]
  readonly payChannel?: string
  readonly transactionNo?: string
  /** The whole transfer, where it pays other orders too. */
  readonly transferFen?: number | null
}

/** Puts an order before a second person. */
export async function askExamination(op: Operation, asked: Asked): Promise<void> {
  const { order, kind, proof = [] } = asked
  const isProofSeen = await seenBefore(op, proof)
  const stored = await op.tx
    .selectFrom('sales_order')
    .select(['off_sale', 'owner_changed'])
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
  const { id } = await op.tx
    .insertInto('order_examination')
    .values({
      order_id: order.id,
      member_id: order.memberId,
      kind,
      amount_fen: asked.amountFen,
      before_fen: asked.beforeFen,
      list_fen: order.listFen,
      pay_channel: asked.payChannel ?? null,
      transaction_no: asked.transactionNo ?? null,
      transfer_fen: asked.transferFen ?? null,
      proof: [...proof],
      proof_seen: isProofSeen,
      flags: flagsOf({
        amountFen: asked.amountFen,
        listFen: order.listFen,
        beforeFen: asked.beforeFen,
        isOffSale: stored.off_sale,
        isOwnerChanged: stored.owner_changed,
        isProofSeen,
        isShared: (asked.transferFen ?? asked.amountFen) !== asked.amountFen,
      }),
      note: asked.note,
      applicant_id: op.actor.id,
      owner_id: order.ownerId,
      org_id: order.orgId,
      created_at: op.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await attach(op.tx, op.actor.id, { proof }, resource.screen.key, id)
}

/** The same picture, told by its bytes, has proved another payment. */
async function seenBefore({ tx }: Operation, proof: readonly string[]): Promise<boolean> {
  if (proof.length === 0) return false
  const seen = await tx
    .selectFrom('file as mine')
    .innerJoin('file as other', 'other.sha256', 'mine.sha256')
    .select('other.id')
    .where('mine.id', 'in', [...proof])
    .where('other.id', 'not in', [...proof])
    .where('other.page', '=', resource.screen.key)
    .limit(1)
    .executeTakeFirst()
  return seen !== undefined
}
