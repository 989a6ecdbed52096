import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { withConnection } from '#kit/server/database/connection.ts'
import { openTestInstance, type TestInstance } from '../../../tools/testing/instance.ts'
import { IS_LONG } from '../../../tools/testing/long.ts'
import { passedOn, photograph } from '../../../tools/testing/photographs.ts'
import { pictureHash } from './look.server.ts'
import { distance, keysNear, keysOf, MOST_DIFFERENT, turnedHashes } from './model.ts'
import { compare, findAlike, type Looked } from './server.ts'

const PAGE = 'member-share'
const SEEDS = [1, 2, 3]

/** By how many signs two pictures differ, however one of them is turned. */
const apart = (one: readonly string[], other: string): number => Math.min(...one.map(turned => distance(turned, other)))
const hashOfSeed = async (seed: number): Promise<string> => String(await pictureHash(await photograph(seed)))

describe('a picture that is passed on', () => {
  test.each(Object.entries(passedOn))('is known as the same: %s', async (_how, change) => {
    for (const seed of SEEDS) {
      const picture = await photograph(seed)
      const hash = String(await pictureHash(picture))
      const changed = String(await pictureHash(await change(picture)))
      expect(apart(turnedHashes(hash), changed)).toBeLessThanOrEqual(MOST_DIFFERENT)
      expect(turnedHashes(changed).some(turned => keysOf(turned).some(key => keysNear(hash).includes(key)))).toBe(true)
    }
  })

  test('is known as people see it, whichever way the camera was held', async () => {
    const picture = await photograph(4)
    const held = await sharp(picture).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer()
    expect(distance(String(await pictureHash(held)), String(await pictureHash(picture)))).toBeLessThan(MOST_DIFFERENT)
  })
})

describe('a hundred different pictures', () => {
  test('are all told apart, also turned and mirrored', async () => {
    const hashes = await Promise.all(Array.from({ length: 100 }, (_, seed) => hashOfSeed(100 + seed)))
    const nearest = hashes.flatMap((one, at) => {
      const turned = turnedHashes(one)
      return hashes.slice(at + 1).map(other => apart(turned, other))
    })
    expect(Math.min(...nearest)).toBeGreaterThan(MOST_DIFFERENT)
  })

  test('a picture that shows nothing is like none, and neither is what is no picture', async () => {
    const plain = sharp({ create: { width: 300, height: 400, channels: 3, background: '#fafafa' } })
    expect(await pictureHash(await plain.png().toBuffer())).toBeUndefined()
    expect(await pictureHash(Buffer.from('no picture'))).toBeUndefined()
  })
})

describe('among very many', () => {
  const MANY = IS_LONG ? 1_000_000 : 10_000
  const AT_ONCE = 10_000
  const MADE = `
    with made as (
      select gen_random_uuid() as id, n, sha256(n::text::bytea) as b from generate_series($1::int, $2::int) n
    ), stored as (
      insert into file (id, purpose, name, type, bytes, sha256, source, created_at)
      select id, 'image', 'x.jpg', 'image/jpeg', 1, n::text, 'app', now() from made returning id
    )
    insert into picture_hash (file_id, page, record_id, sha256, hash, keys)
    select id, '${PAGE}', n, n::text, ('x' || encode(b, 'hex'))::bit(256),
      array(select (p << 16) + get_byte(b, 2 * p) * 256 + get_byte(b, 2 * p + 1) from generate_series(0, 15) p)
    from made`
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance()
    // Chance alone makes them: what is looked for has to stand out. Its index is made once they are there, which is sooner.
    await withConnection({ connectionString: instance.url }, async client => {
      const { rows } = await client.query(`select pg_get_indexdef('picture_hash_keys'::regclass) as definition`)
      await client.query('drop index picture_hash_keys')
      for (let from = 1; from <= MANY; from += AT_ONCE) await client.query(MADE, [from, from + AT_ONCE - 1])
      await client.query(rows[0].definition)
      await client.query('analyze picture_hash')
    })
  }, 600_000)

  const keep = async (recordId: string, hash: string | null) => {
    const fileId = randomUUID()
    const { db } = instance.app
    const row = { id: fileId, purpose: 'image', name: 'y.jpg', type: 'image/jpeg', bytes: 1, sha256: fileId }
    await db.query
      .insertInto('file')
      .values({ ...row, source: 'app', created_at: new Date() })
      .execute()
    const looked: Looked[] = [{ fileId, hash }]
    return db.write(tx => compare(tx, { page: PAGE, recordId, looked }))
  }

  test('the one that is alike is found, and few are looked at for it', async () => {
    const picture = await photograph(50)
    const hash = String(await pictureHash(picture))
    const turned = String(await pictureHash(await passedOn['turned, smaller and compressed'](picture)))
    expect(await keep('5000001', hash)).toBeUndefined()
    expect(await keep('5000002', turned)).toEqual({ recordId: '5000001', isSame: false })
    await instance.app.db.write(async tx => {
      const [found] = await findAlike(tx, { page: PAGE, recordId: '0', hash })
      expect(found).toMatchObject({ recordId: '5000001', distance: 0 })
      const keys = `'{${[...new Set(turnedHashes(hash).flatMap(keysNear))].join(',')}}'::int[]`
      const near = await sql.raw<{ n: number }>(`select count(*)::int as n from pictures_near(${keys})`).execute(tx)
      expect(near.rows[0]?.n).toBeLessThan(MANY * 0.06)
      await sql.raw('set local enable_seqscan = off').execute(tx)
      const plan = await sql.raw<object>(`explain select 1 from picture_hash where keys && ${keys}`).execute(tx)
      expect(JSON.stringify(plan.rows)).toContain('picture_hash_keys')
    })
  })

  test('a page of nothing is like no other of nothing, and of two records at once the second finds the first', async () => {
    expect(await keep('5000003', null)).toBeUndefined()
    expect(await keep('5000004', null)).toBeUndefined()
    const hash = String(await hashOfSeed(51))
    const found = await Promise.all([keep('5000005', hash), keep('5000006', hash)])
    expect(found.filter(one => one === undefined)).toHaveLength(1)
  })
})
