import { formatFen } from '#kit/model/money.ts'
import { formatInstant } from '#kit/model/time.ts'
import { run } from '#kit/server/database/database.ts'
import { attachSent } from '#kit/server/live/sent-file.ts'
import { attach, openFiles } from '#kit/server/storage/file.ts'
import { drawPicture } from './picture.server.ts'
import { drawReceipt } from './receipt.server.ts'
import { seedDemo } from './seed.server.ts'
import { type Proved, readStories } from './story.server.ts'

/** Older proofs nobody opens any more; each is a file. */
const NEWEST = 300

/** The demo business with what lies in its files: the receipts of money that came and went by hand, and pictures of what is sold. */
export async function seedWithFiles(...[app, options]: Parameters<typeof seedDemo>): Promise<boolean> {
  if (!(await seedDemo(app, options))) return false
  const files = openFiles(app.env, app.db)
  const stories = await readStories(app.catalogue)
  await app.db.write(async tx => {
    const keep = async (column: string, { table, page, id, by, at, name, shownWith = id }: Kept, picture: Buffer) => {
      const written = await files.write(picture, { name: `${name}.png`, type: 'image/png' })
      await files.keep(tx, written, { purpose: 'image', ownerId: by, now: at })
      await attach(tx, by, { proof: [written.id] }, page, shownWith)
      await run(tx, `update ${table} set ${column} = $1 where id = $2`, [[written.id], id])
    }
    const receive = async (
      column: keyof typeof SENT,
      { table, page, id, at, name }: Omit<Kept, 'by'>,
      bytes: Buffer,
    ) => {
      const { purpose, type, ending } = SENT[column]
      const written = await files.write(bytes, { name: `${name}.${ending}`, type })
      await files.keep(tx, written, { purpose, source: 'app', now: at })
      await attachSent(tx, 'app', [written.id], page, id, purpose)
      await run(tx, `update ${table} set ${column} = $1 where id = $2`, [[written.id], id])
      return written.id
    }
    const first = await tx.selectFrom('staff').select('id').orderBy('id').executeTakeFirstOrThrow()
    for (const { name, proved, pictured, photographed } of stories) {
      const page = app.catalogue.screens.find(screen => screen.name === name)?.key
      if (!page) continue
      for (const one of (await proved?.read(tx, NEWEST)) ?? []) {
        if (!proved || one.staff_id === null) continue
        const at = new Date(one.at)
        const kept = { table: proved.table, page, id: one.id, by: one.staff_id, at, name: one.no ?? '' }
        await keep('proof', kept, receiptOf(one, at))
      }
      for (const { id, motif, shownWith } of (await pictured?.read(tx)) ?? []) {
        const kept = { table: pictured?.table ?? '', page, id, by: first.id, at: options.now, name: motif, shownWith }
        await keep('picture', kept, drawPicture(motif, Number(id)))
      }
      const drawn = new Map<string, Promise<Buffer>>()
      const once = (what: string, draw: () => Promise<Buffer>) => {
        const known = drawn.get(what) ?? draw()
        drawn.set(what, known)
        return known
      }
      for (const { id, name, at, same, draw, film } of (await photographed?.read(tx)) ?? []) {
        const sent = { table: photographed?.table ?? '', page, id, at, name }
        const picture = await once(same, draw)
        const fileId = await receive('picture', sent, picture)
        await photographed?.stored?.(tx, { id, fileId, picture })
        if (film) await receive('video', sent, await once(`film ${same}`, film))
      }
    }
  })
  return true
}

/** What the app sends, by where it is named. */
const SENT = {
  picture: { purpose: 'image', type: 'image/jpeg', ending: 'jpg' },
  video: { purpose: 'video', type: 'video/webm', ending: 'webm' },
} as const

type Kept = {
  table: string
  page: string
  id: string
  by: string
  at: Date
  name: string
  shownWith?: string | undefined
}

const receiptOf = ({ fen, no }: Proved, at: Date): Buffer =>
  drawReceipt({
    amount: formatFen(Number(fen)),
    lines: [
      ['DATE', formatInstant(at).slice(0, 16)],
      ['NO.', no ?? ''],
    ],
  })
