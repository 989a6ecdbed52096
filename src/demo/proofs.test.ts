import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { readContent } from '#kit/server/storage/content.ts'
import { openFiles } from '#kit/server/storage/file.ts'
import { openTestInstance, stoppedClock, type TestInstance } from '../../tools/testing/instance.ts'
import { drawPicture } from './picture.server.ts'
import { seedWithFiles } from './proofs.server.ts'
import { drawReceipt } from './receipt.server.ts'

const NOW = new Date('2026-11-15T03:20:00Z')

describe('the demo business with its files', () => {
  let folder: string
  let instance: TestInstance

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inkstone-proofs-'))
    instance = await openTestInstance({ clock: stoppedClock(NOW), env: { DATA_DIR: folder } })
    expect(await seedWithFiles(instance.app, { orders: 200, now: NOW })).toBe(true)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('a receipt is a picture people could have uploaded', () => {
    const picture = drawReceipt({ amount: '¥1,299.00', lines: [['DATE', '2026-11-14 11:00']] })
    expect(readContent(picture)).toMatchObject({ type: 'image/png' })
  })

  test('every payment made elsewhere has its receipt, which no other payment has', async () => {
    const examinations = await instance.app.db.query.selectFrom('order_examination').select(['proof', 'kind']).execute()
    const proofs = examinations.filter(({ kind }) => kind === 'OFFLINE').map(({ proof }) => proof)
    expect(proofs.length).toBeGreaterThan(0)
    const files = openFiles({ DATA_DIR: folder }, instance.app.db)
    const pictures = await Promise.all(
      proofs.map(async ([id]) => (await buffer(await files.read(id as string))).toString('hex')),
    )
    expect(new Set(pictures).size).toBe(proofs.length)
  })

  test('what is sold can be looked at, except what has no picture yet', async () => {
    const { query } = instance.app.db
    const products = await query.selectFrom('product').select(['code', 'picture']).execute()
    const bare = products.filter(({ picture }) => picture.length === 0).map(({ code }) => code)
    expect(bare).toEqual(['LEAD-SUMMER'])
    const goods = await query.selectFrom('coin_goods').select('picture').execute()
    expect(goods.every(({ picture }) => picture.length === 1)).toBe(true)
    expect(readContent(drawPicture('medal', 1))).toMatchObject({ type: 'image/png' })
  })

  test('a page a parent sent is seen with the lead it was sent about', async () => {
    const sent = await instance.app.db.query
      .selectFrom('follow_up as f')
      .innerJoin('file as p', join => join.on(sql<boolean>`p.id = any(f.picture)`))
      .select(['f.lead_id', 'p.record_id'])
      .execute()
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter(({ lead_id, record_id }) => lead_id !== record_id)).toEqual([])
  })

  test('a second seed changes nothing, and every promise of the records is kept', async () => {
    expect(await seedWithFiles(instance.app, { orders: 200, now: NOW })).toBe(false)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
