import { resource as examinations } from '#areas/orders/examination/model.ts'
import { resource as refundApplications } from '#areas/orders/refund-application/model.ts'
import { formatFen } from '#kit/model/money.ts'
import { formatInstant } from '#kit/model/time.ts'
import { attach, openFiles } from '#kit/server/storage/file.ts'
import { drawReceipt } from './receipt.server.ts'
import { seedDemo } from './seed.server.ts'

/** Older proofs nobody opens any more; each is a file. */
const NEWEST = 300

type Proved = { id: string; fen: string; no: string | null; staff_id: string | null; at: string }

/** The demo business with what lies in its files: the receipts of money that came and went by hand. */
export async function seedWithFiles(...[app, options]: Parameters<typeof seedDemo>): Promise<boolean> {
  if (!(await seedDemo(app, options))) return false
  const files = openFiles(app.env.DATA_DIR, app.db)
  await app.db.write(async tx => {
    const prove = async (table: 'order_examination' | 'refund_application', page: string, rows: readonly Proved[]) => {
      for (const { id, fen, no, staff_id: by, at: told } of rows) {
        if (by === null) continue
        const at = new Date(told)
        const lines = [
          ['DATE', formatInstant(at).slice(0, 16)],
          ['NO.', no ?? ''],
        ] as const
        const written = await files.write(drawReceipt({ amount: formatFen(Number(fen)), lines }))
        const about = { purpose: 'image', name: `${no}.png`, type: 'image/png' }
        await files.keep(tx, written, { ...about, ownerId: by, now: at })
        await attach(tx, by, [written.id], page, id)
        await tx
          .updateTable(table)
          .set({ proof: [written.id] })
          .where('id', '=', id)
          .execute()
      }
    }
    const payments = await tx
      .selectFrom('order_examination')
      .select(['id', 'amount_fen as fen', 'transaction_no as no', 'applicant_id as staff_id', 'created_at as at'])
      .where('kind', '=', 'OFFLINE')
      .orderBy('id', 'desc')
      .limit(NEWEST)
      .execute()
    await prove('order_examination', examinations.screen.key, payments)
    const refunds = await tx
      .selectFrom('refund_application')
      .select(['id', 'amount_fen as fen', 'transaction_no as no', 'paid_by as staff_id', 'created_at as at'])
      .where('transaction_no', 'is not', null)
      .orderBy('id', 'desc')
      .limit(NEWEST)
      .execute()
    await prove('refund_application', refundApplications.screen.key, refunds)
  })
  return true
}
