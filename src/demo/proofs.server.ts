import { formatFen } from '#kit/model/money.ts'
import { formatInstant } from '#kit/model/time.ts'
import { run } from '#kit/server/database/database.ts'
import { attach, openFiles } from '#kit/server/storage/file.ts'
import { drawReceipt } from './receipt.server.ts'
import { seedDemo } from './seed.server.ts'
import { type Proved, readStories } from './story.server.ts'

/** Older proofs nobody opens any more; each is a file. */
const NEWEST = 300

/** The demo business with what lies in its files: the receipts of money that came and went by hand. */
export async function seedWithFiles(...[app, options]: Parameters<typeof seedDemo>): Promise<boolean> {
  if (!(await seedDemo(app, options))) return false
  const files = openFiles(app.env, app.db)
  const stories = await readStories(app.catalogue)
  await app.db.write(async tx => {
    const prove = async (table: string, page: string, { id, fen, no, staff_id: by, at: told }: Proved) => {
      if (by === null) return
      const at = new Date(told)
      const lines = [
        ['DATE', formatInstant(at).slice(0, 16)],
        ['NO.', no ?? ''],
      ] as const
      const called = { name: `${no}.png`, type: 'image/png' }
      const written = await files.write(drawReceipt({ amount: formatFen(Number(fen)), lines }), called)
      await files.keep(tx, written, { purpose: 'image', ownerId: by, now: at })
      await attach(tx, by, [written.id], page, id)
      await run(tx, `update ${table} set proof = $1 where id = $2`, [[written.id], id])
    }
    for (const { name, proved } of stories) {
      const page = app.catalogue.screens.find(screen => screen.name === name)?.key
      if (!proved || !page) continue
      for (const one of await proved.read(tx, NEWEST)) await prove(proved.table, page, one)
    }
  })
  return true
}
