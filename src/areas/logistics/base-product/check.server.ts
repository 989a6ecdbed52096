import { Refused, refuse } from '#kit/model/refusal.ts'
import type { AskedBelow } from '#kit/model/request.ts'
import type { Change } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { writeLine } from '#kit/server/change/step.ts'
import { agreedByEnough, asking, expiring, requireTime } from '#kit/server/work/agreement.ts'
import { type BaseProduct, DAYS_TO_DECIDE, resource } from './model.ts'

type Counted = { readonly counted: number; readonly note: string }

/** Somebody counted; the book stays as it is until somebody else agrees, and what it said then is kept. */
export async function askForCheck(
  op: Operation,
  { id, onHand }: BaseProduct,
  { counted, note }: Counted,
): Promise<void> {
  const { applicantId, expiresAt } = asking(op, DAYS_TO_DECIDE)
  await op.tx
    .insertInto('stock_check')
    .values({
      base_product_id: id,
      counted,
      book: onHand,
      note,
      applicant_id: applicantId,
      expires_at: expiresAt,
      created_at: op.now,
    })
    .execute()
}

/** The counts that wait, by product. */
export async function openChecks(db: Reading, rows: readonly BaseProduct[]): Promise<Map<string, AskedBelow>> {
  const ids = rows.map(({ id }) => id)
  const open = await db
    .selectFrom('stock_check')
    .select(['id', 'applicant_id as applicantId', 'base_product_id as productId'])
    .where('status', '=', 'WAITING')
    .where('base_product_id', 'in', ids)
    .execute()
  return new Map(open.map(({ productId, ...asked }) => [productId, { asked }]))
}

type Found = { readonly difference: number; readonly note: string }
type Shown = { readonly askedId: string }

/** Somebody else agrees, in time: gives what was found too much or too little. */
export async function agreeToCheck(op: Operation, row: BaseProduct, shown: Shown): Promise<Found> {
  const { expires_at: expiresAt, counted, book, note } = await close(op, row, shown, 'APPROVED')
  requireTime(op, { expiresAt })
  // By the book of the moment of counting: what moved since is booked already.
  const difference = counted - book
  if (difference < 0 && row.onHand + difference < 0) throw new Refused(refuse('check-below'))
  return { difference, note }
}

export const rejectCheck = async (op: Operation, row: BaseProduct, shown: Shown) =>
  void (await close(op, row, shown, 'REJECTED'))

export const withdrawCheck = async (op: Operation, row: BaseProduct, shown: Shown) =>
  void (await close(op, row, shown, 'WITHDRAWN'))

/** Closes the count that was shown. */
async function close(
  { tx, now, actor }: Operation,
  row: BaseProduct,
  { askedId }: Shown,
  status: 'APPROVED' | 'REJECTED' | 'WITHDRAWN',
) {
  const closed = await tx
    .updateTable('stock_check')
    .set({ status, decided_by: status === 'WITHDRAWN' ? null : actor.id, decided_at: now })
    .where('id', '=', askedId)
    .where('base_product_id', '=', row.id)
    .where('status', '=', 'WAITING')
    .returning(['counted', 'book', 'note', 'expires_at'])
    .executeTakeFirst()
  // Another was counted since, or the time of this one ended just now: the job does not wait for the product.
  if (!closed) throw new Refused(refuse('kit:request-over'), 'conflict')
  return closed
}

/** The count that was closed last waits again: had there been another since, the timeline would not offer it. */
export async function reopenCheck(op: Operation, row: BaseProduct): Promise<void> {
  const { id, expires_at: expiresAt } = await op.tx
    .selectFrom('stock_check')
    .select(['id', 'expires_at'])
    .where('base_product_id', '=', row.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  requireTime(op, { expiresAt })
  await op.tx
    .updateTable('stock_check')
    .set({ status: 'WAITING', decided_by: null, decided_at: null })
    .where('id', '=', id)
    .execute()
}

/** Leaves the product alone, whose row is locked before that of its count: the job waits for nobody. */
async function expireCheck(change: Change, check: Readonly<Record<string, unknown>>): Promise<void> {
  await change.tx
    .updateTable('stock_check')
    .set({ status: 'EXPIRED', decided_at: change.now })
    .where('id', '=', String(check.id))
    .execute()
  await writeLine(change, resource, { recordId: String(check.base_product_id), action: 'expireCheck', diff: {} })
}

export const checkJobs = [expiring('stock_check', ['WAITING'], expireCheck)]
export const checkInvariants: readonly Invariant[] = [agreedByEnough('stock_check', ['decided_by'])]
