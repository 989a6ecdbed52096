import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import sharp from 'sharp'
import { Refused } from '#kit/model/refusal.ts'
import { MAX_PIXELS } from '#kit/model/upload.ts'
import type { Database } from '../database/database.ts'
import type { Files, StoredFile, Written } from './file.ts'
import { StorageAway } from './store.ts'

/** Twice the width of a card: sharp screens have two dots for one. */
const LONG_SIDE = 480
const QUALITY = 75
/** What is no larger is shown as it is. */
export const SMALL_BYTES = 60_000

type Making = {
  readonly db: Database
  readonly files: Files
  /** Whole pictures are held in memory: one after another. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/**
 * The file that shows a picture in small: made when it is first asked for, and kept beside it. The picture itself where it is
 * small already, or cannot be drawn or not now: whoever opens it is told why.
 */
export async function smallOf(making: Making, picture: StoredFile, now: Date): Promise<string> {
  if (picture.bytes <= SMALL_BYTES) return picture.id
  const made = await findSmall(making.db, picture.id)
  if (made !== undefined) return made
  const written = await making.inTurn(() => writeSmall(making, picture)).catch(unlessRefused)
  if (!written) return picture.id
  if (await keepSmall(making.db, written, picture.id, now)) return written.id
  // Somebody else's came first, or the picture has gone meanwhile.
  await making.files.discard(written.id)
  return (await findSmall(making.db, picture.id)) ?? picture.id
}

/** The line is too long, the file is gone, or the storage is away. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refused || error instanceof StorageAway)) throw error
}

const findSmall = async ({ query }: Database, id: string): Promise<string | undefined> =>
  (await query.selectFrom('file').select('id').where('small_of', '=', id).executeTakeFirst())?.id

async function writeSmall({ files }: Making, { id, name }: StoredFile): Promise<Written | undefined> {
  const bytes = await drawSmall(await buffer(await files.read(id)))
  return bytes && files.write(bytes, { name: `${name.replace(/\.\w+$/, '')}.webp`, type: 'image/webp' })
}

/** The first picture of several; nothing for what holds its structure and shows nothing. */
async function drawSmall(bytes: Buffer): Promise<Buffer | undefined> {
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 })
      .autoOrient()
      .resize({ width: LONG_SIDE, height: LONG_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer()
  } catch {
    return undefined
  }
}

/** Whether it is kept: the first of those that were made at once, of a picture that is still there. */
function keepSmall(db: Database, { id, ...small }: Written, of: string, now: Date): Promise<boolean> {
  return db.write(async tx => {
    const { rows } = await sql`
      insert into file (id, purpose, name, type, bytes, sha256, created_at, small_of)
      select ${id}::uuid, f.purpose, ${small.name}::text, ${small.type}::text, ${small.bytes}::int, ${small.sha256}::text, ${now}::timestamptz, f.id
      from file f where f.id = ${of}::uuid for key share of f
      on conflict (small_of) where small_of is not null do nothing returning id`.execute(tx)
    if (rows.length > 0) await tx.deleteFrom('file_unkept').where('id', '=', id).execute()
    return rows.length > 0
  })
}
