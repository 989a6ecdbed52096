import { resource } from '#areas/orders/examination/model.ts'
import { formatFen } from '#kit/model/money.ts'
import { formatInstant } from '#kit/model/time.ts'
import { attach, openFiles } from '#kit/server/file.ts'
import { drawReceipt } from './receipt.server.ts'
import { seedDemo } from './seed.server.ts'

/** Older proofs nobody opens any more; each is a file. */
const NEWEST = 300

/** The demo business with what lies in its files: the receipts people handed in with payments made elsewhere. */
export async function seedWithFiles(...[app, options]: Parameters<typeof seedDemo>): Promise<boolean> {
  if (!(await seedDemo(app, options))) return false
  const files = openFiles(app.env.DATA_DIR, app.db)
  await app.db.write(async tx => {
    const payments = await tx
      .selectFrom('order_examination')
      .select(['id', 'amount_fen', 'transaction_no', 'applicant_id', 'created_at'])
      .where('kind', '=', 'OFFLINE')
      .orderBy('id', 'desc')
      .limit(NEWEST)
      .execute()
    for (const { id, amount_fen, transaction_no, applicant_id, created_at } of payments) {
      const at = new Date(created_at)
      const lines = [
        ['DATE', formatInstant(at).slice(0, 16)],
        ['NO.', transaction_no ?? ''],
      ] as const
      const written = await files.write(drawReceipt({ amount: formatFen(Number(amount_fen)), lines }))
      const about = { purpose: 'image', name: `${transaction_no}.png`, type: 'image/png' }
      await files.keep(tx, written, { ...about, ownerId: applicant_id, now: at })
      await attach(tx, applicant_id, [written.id], resource.screen.key, id)
      await tx
        .updateTable('order_examination')
        .set({ proof: [written.id] })
        .where('id', '=', id)
        .execute()
    }
  })
  return true
}
