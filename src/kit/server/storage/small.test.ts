import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { png } from '../../../../tools/testing/pictures.ts'
import { forgetFiles } from '../change/erasure-copies.ts'
import { attach, type StoredFile, sweepFiles } from './file.ts'
import { SMALL_BYTES, smallOf } from './small.ts'

const DAY_MS = 86_400_000

let instance: TestInstance
let folder: string
let sender: Caller & { orgId: string }
let photo: Buffer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-small-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  sender = await person(instance, { grants: { 'order-list': ['list'] }, scope: 'SELF' })
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  photo = await sharp({ create: { width: 1_600, height: 1_200, channels: 3, background: '#fff', noise } })
    .jpeg()
    .toBuffer()
  expect(photo.length).toBeGreaterThan(SMALL_BYTES)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let records = 0
/** As it stands once a record has taken it. */
async function stored(bytes: Buffer, type = 'image/jpeg'): Promise<StoredFile> {
  const { app, clock } = instance
  const written = await app.files.write(bytes, { name: '作业.jpg', type })
  records += 1
  await app.db.write(async tx => {
    await app.files.keep(tx, written, { purpose: 'image', ownerId: sender.id, now: clock.now() })
    await attach(tx, sender.id, { proof: [written.id] }, 'order-list', String(records))
  })
  return (await app.files.find(written.id)) as StoredFile
}
const small = (picture: StoredFile) =>
  smallOf({ db: instance.app.db, files: instance.app.files, inTurn: work => work() }, picture, instance.clock.now())
const onDisk = () => readdir(join(folder, 'files'))
const madeOf = async (id: string) =>
  (await instance.app.db.query.selectFrom('file').select('id').where('small_of', '=', id).execute()).map(row => row.id)

describe('a picture in small', () => {
  test('is what lists are given: no wider than a card needs, a fraction of the bytes, the same file each time', async () => {
    const { id } = await stored(photo)
    const links = async () =>
      (await sender.post<Record<string, string>>('/common/file/links', { ids: [id], size: 'small' })).data
    const url = (await links())[id] ?? ''
    const answer = await instance.http.inject({ method: 'GET', url })
    expect(answer.headers['content-type']).toBe('image/webp')
    const { width, height, format } = await sharp(answer.rawPayload).metadata()
    expect({ width, height, format }).toEqual({ width: 480, height: 360, format: 'webp' })
    expect(answer.rawPayload.length).toBeLessThan(photo.length / 4)
    expect((await links())[id]?.split('?')[0]).toBe(url.split('?')[0])
    expect(await madeOf(id)).toHaveLength(1)
    const whole = await sender.post<Record<string, string>>('/common/file/links', { ids: [id] })
    expect(whole.data[id]).toContain(id)
    const both = await sender.post<{ url: string; small: string }>(`/common/file/${id}/link`, { size: 'small' })
    expect([both.data.url, both.data.small].map(at => at.split('?')[0])).toEqual(
      [whole.data[id], url].map(at => at?.split('?')[0]),
    )
    expect((await sender.post(`/common/file/${id}/link`)).data).toEqual({ url: expect.stringContaining(id) })
  })

  test('is shown to nobody who may not see the picture, and is nobody’s upload', async () => {
    const picture = await stored(photo)
    const made = await small(picture)
    const stranger = await person(instance, { grants: { 'order-list': ['list'] }, scope: 'SELF' })
    const ids = [picture.id, made]
    expect((await stranger.post('/common/file/links', { ids, size: 'small' })).data).toEqual({})
    expect(await stranger.post(`/common/file/${made}/link`)).toMatchObject({ code: 4004 })
    await expect(
      instance.app.db.write(tx => attach(tx, sender.id, { proof: [made] }, 'order-list', '9')),
    ).rejects.toMatchObject({ kind: 'validation' })
  })

  test('is made once, however many ask for it at the same time, and what was made too much is gone', async () => {
    const picture = await stored(photo)
    const before = await onDisk()
    const made = new Set(await Promise.all(Array.from({ length: 5 }, () => small(picture))))
    expect(made.size).toBe(1)
    expect(await madeOf(picture.id)).toEqual([...made])
    expect((await onDisk()).toSorted()).toEqual([...before, ...made].toSorted())
  })

  test('is the picture itself where that is small, cannot be drawn, or has lost its bytes', async () => {
    const tiny = await stored(png(), 'image/png')
    expect(await small(tiny)).toBe(tiny.id)
    const broken = await stored(Buffer.alloc(SMALL_BYTES + 1, 7))
    expect(await small(broken)).toBe(broken.id)
    const lost = await stored(photo)
    await rm(join(folder, 'files', lost.id))
    expect(await small(lost)).toBe(lost.id)
    expect([...(await madeOf(tiny.id)), ...(await madeOf(broken.id)), ...(await madeOf(lost.id))]).toEqual([])
  })

  test('tells nothing but what is seen: neither place nor time of the shot', async () => {
    const told = await sharp(photo)
      .withExif({ IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
      .toBuffer()
    const made = await small(await stored(told))
    expect((await sharp(await buffer(await instance.app.files.read(made))).metadata()).exif).toBeUndefined()
  })
})

describe('what was made small', () => {
  test('stays as long as its picture does, and is no loose upload', async () => {
    const picture = await stored(photo)
    const made = await small(picture)
    instance.clock.forward(2 * DAY_MS)
    await sweepFiles(instance.app)
    expect(await onDisk()).toEqual(expect.arrayContaining([picture.id, made]))
    expect(await madeOf(picture.id)).toEqual([made])
  })

  test('goes with its picture, row and bytes, when somebody is forgotten', async () => {
    const picture = await stored(photo)
    const made = await small(picture)
    await instance.app.db.write(tx => forgetFiles(tx, 'id = $1::uuid', [picture.id]))
    expect(await madeOf(picture.id)).toEqual([])
    const { rows } = await instance.app.db.read.pool.query(
      'select id::text as id from file_unkept where id = any($1)',
      [[picture.id, made]],
    )
    expect(rows.map(({ id }) => id).toSorted()).toEqual([picture.id, made].toSorted())
    instance.clock.forward(2 * DAY_MS)
    await sweepFiles(instance.app)
    const left = await onDisk()
    expect(left.includes(picture.id) || left.includes(made)).toBe(false)
  })

  test('of a picture that goes while it is drawn is not kept', async () => {
    const picture = await stored(photo)
    const before = await onDisk()
    const shown = await smallOf(
      {
        db: instance.app.db,
        files: instance.app.files,
        inTurn: async work => {
          const drawn = await work()
          await instance.app.db.write(tx => forgetFiles(tx, 'id = $1::uuid', [picture.id]))
          return drawn
        },
      },
      picture,
      instance.clock.now(),
    )
    expect(shown).toBe(picture.id)
    expect(await madeOf(picture.id)).toEqual([])
    expect((await onDisk()).toSorted()).toEqual(before.toSorted())
  })
})
