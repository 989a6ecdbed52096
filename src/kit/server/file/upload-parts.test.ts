import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PART_BYTES } from '#kit/model/upload.ts'
import { openTestBucket, type TestBucket } from '../../../../tools/testing/bucket.ts'
import {
  type Answer,
  type Caller,
  caller,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { jpeg, pdf, segment } from '../../../../tools/testing/pictures.ts'
import { sweepFiles } from '../storage/file.ts'
import { allNames } from '../storage/store.ts'
import { openStores } from '../storage/stores.ts'

type Begun = { id: string; received: number }
type Uploaded = { id: string; name: string; type: string; bytes: number }

const DAY_MS = 86_400_000
/** A little more than two parts. */
const LARGE: Buffer = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.alloc(2 * PART_BYTES, 'ink '),
  Buffer.from('\n%%EOF\n'),
])
const KINDS = [
  { kind: 'a folder', openBucket: async () => undefined },
  { kind: 'a bucket', openBucket: () => openTestBucket() },
]

describe.each(KINDS)('an upload in parts, into $kind', ({ openBucket }) => {
  let folder: string
  let bucket: TestBucket | undefined
  let instance: TestInstance
  let me: Caller
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inkstone-parts-'))
    bucket = await openBucket()
    instance = await openTestInstance({ env: { DATA_DIR: folder, ...bucket?.env } })
    me = await person(instance)
  })
  afterAll(async () => {
    await bucket?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const stored = () => allNames(openStores(instance.app.env).store)
  const begin = async (by = me, about: object = { purpose: 'document', name: '作业.pdf', bytes: LARGE.length }) =>
    by.post<Begun>('/common/upload/begin', about)
  async function sendPart(id: string, at: number, bytes: Buffer, by = me): Promise<Answer<Begun>> {
    const head = '--edge\r\ncontent-disposition: form-data; name="file"; filename="part"\r\n\r\n'
    const answer = await instance.http.inject({
      method: 'POST',
      url: `/api/common/upload/${id}/part?at=${at}`,
      headers: {
        'accept-language': 'en-US',
        'content-type': 'multipart/form-data; boundary=edge',
        authtoken: by.token,
      },
      payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
    })
    return { ...answer.json(), status: answer.statusCode, headers: answer.headers, body: answer.body }
  }
  const partAt = (at: number, of = LARGE) => of.subarray(at, at + PART_BYTES)
  const complete = (id: string, by = me) => by.post<Uploaded>(`/common/upload/${id}/complete`)
  async function sendAll(whole: Buffer, about: object): Promise<Answer<Uploaded>> {
    const { id } = (await begin(me, { bytes: whole.length, ...about })).data
    for (let at = 0; at < whole.length; at += PART_BYTES) await sendPart(id, at, partAt(at, whole))
    return complete(id)
  }

  test('that broke off goes on where it ended, and becomes the very file that was sent', async () => {
    const { id } = (await begin()).data
    expect((await sendPart(id, 0, partAt(0))).data).toEqual({ id, received: PART_BYTES })
    // Somewhere the line broke; whoever comes back asks how far it came.
    expect((await me.get<Begun>(`/common/upload/${id}`)).data).toEqual({ id, received: PART_BYTES })
    expect(await complete(id)).toMatchObject({ code: 4006, msg: expect.stringContaining('not here yet') })
    await sendPart(id, PART_BYTES, partAt(PART_BYTES))
    await sendPart(id, 2 * PART_BYTES, partAt(2 * PART_BYTES))
    const { data } = await complete(id)
    expect(data).toMatchObject({ name: '作业.pdf', type: 'application/pdf', bytes: LARGE.length })
    const bytes = await buffer(await instance.app.files.read(data.id))
    expect(bytes.equals(LARGE)).toBe(true)
    const row = instance.app.db.query.selectFrom('file').select('sha256').where('id', '=', data.id)
    expect((await row.executeTakeFirstOrThrow()).sha256).toBe(createHash('sha256').update(LARGE).digest('hex'))
    expect(await stored()).toEqual([data.id])
  })

  test('of which an answer was lost takes nothing twice and becomes one file', async () => {
    const before = await stored()
    const { id } = (await begin()).data
    await sendPart(id, 0, partAt(0))
    expect((await sendPart(id, 0, partAt(0))).data.received).toBe(PART_BYTES)
    const [one, other] = await Promise.all([1, 2].map(() => sendPart(id, PART_BYTES, partAt(PART_BYTES))))
    expect([one?.data.received, other?.data.received]).toEqual([2 * PART_BYTES, 2 * PART_BYTES])
    await sendPart(id, 2 * PART_BYTES, partAt(2 * PART_BYTES))
    const ended = [await complete(id), await complete(id)]
    expect(new Set(ended.map(({ data }) => data.id)).size).toBe(1)
    expect(await stored()).toHaveLength(before.length + 1)
  })

  test('that is ended several times at once, on two instances, becomes one file', async () => {
    const before = await stored()
    const { id } = (await begin(me, { purpose: 'document', name: 'a.pdf', bytes: pdf().length })).data
    await sendPart(id, 0, pdf())
    const second = await openTestInstance({ url: instance.url, env: { DATA_DIR: folder, ...bucket?.env } })
    const there = caller(second, me.id, me.token)
    const ended = await Promise.all([me, there, me, there].map(by => complete(id, by)))
    expect(new Set(ended.map(({ data }) => data.id)).size).toBe(1)
    expect(await stored()).toHaveLength(before.length + 1)
  })

  test('that has become a file says so, and takes no part again', async () => {
    const { id } = (await begin(me, { purpose: 'document', name: 'a.pdf', bytes: pdf().length })).data
    await sendPart(id, 0, pdf())
    await complete(id)
    const [before, take] = [await stored(), vi.spyOn(instance.app.files, 'take')]
    expect((await me.get<Begun>(`/common/upload/${id}`)).data).toEqual({ id, received: pdf().length })
    expect((await sendPart(id, 0, pdf())).data).toEqual({ id, received: pdf().length })
    expect(take).not.toHaveBeenCalled()
    expect(await stored()).toEqual(before)
    take.mockRestore()
  })

  test('takes parts of one size alone, and a smaller one only at its end', async () => {
    const { id } = (await begin()).data
    expect(await sendPart(id, 0, Buffer.alloc(1))).toMatchObject({ status: 422 })
    await sendPart(id, 0, partAt(0))
    await sendPart(id, PART_BYTES, partAt(PART_BYTES))
    const end = partAt(2 * PART_BYTES)
    expect(await sendPart(id, 2 * PART_BYTES, end.subarray(1))).toMatchObject({ status: 422 })
    expect((await sendPart(id, 2 * PART_BYTES, end)).data).toEqual({ id, received: LARGE.length })
    expect(await sendPart(id, LARGE.length, Buffer.alloc(0))).toMatchObject({ status: 422 })
  })

  test('takes no part with a gap before it, beyond its end, or larger than a part', async () => {
    const { id } = (await begin()).data
    expect(await sendPart(id, PART_BYTES, partAt(0))).toMatchObject({ status: 409, data: { current: { received: 0 } } })
    expect(await sendPart(id, 0, Buffer.alloc(PART_BYTES + 1))).toMatchObject({ status: 400, code: 4000 })
    const small = (await begin(me, { purpose: 'document', name: 'a.pdf', bytes: 10 })).data.id
    expect(await sendPart(small, 0, Buffer.alloc(11))).toMatchObject({ status: 422 })
    expect(await sendPart(small, 0, Buffer.alloc(0))).toMatchObject({ status: 422 })
    expect((await me.get<Begun>(`/common/upload/${id}`)).data.received).toBe(0)
  })

  test('is judged as a whole, like any other; what is refused leaves nothing', async () => {
    const before = await stored()
    const html = Buffer.concat([Buffer.from('<html><script>alert(1)</script>'), Buffer.alloc(PART_BYTES, 32)])
    expect(await sendAll(html, { purpose: 'document', name: 'a.pdf' })).toMatchObject({ status: 422, code: 4005 })
    expect(await sendAll(pdf(), { purpose: 'image', name: 'a.png' })).toMatchObject({ status: 422, code: 4005 })
    expect(await stored()).toEqual(before)
    const shot = jpeg([segment(0xe1, Buffer.from('Exif\0\0GPS 31.2304 N'))])
    const { data } = await sendAll(shot, { purpose: 'image', name: '../x.html' })
    expect(data.name).toBe('x.jpg')
    expect((await buffer(await instance.app.files.read(data.id))).equals(jpeg())).toBe(true)
  })

  test('may be as large as its purpose allows, and counts for its sender', async () => {
    const refused = await begin(me, { purpose: 'image', name: 'a.png', bytes: 10 * 1_048_576 + 1 })
    expect(refused).toMatchObject({ code: 4000, msg: expect.stringContaining('At most 10 MB') })
    for (const bytes of [0, -1, 1.5, '10'])
      expect((await begin(me, { purpose: 'image', name: 'a', bytes })).code).toBe(4005)
    const busy = await person(instance)
    await instance.app.db.read.pool.query(
      `insert into attempt_gate (kind, subject, attempts, window_until) values ('upload', $1, 1000, $2), ('upload-kb', $1, 512000, $2)`,
      [busy.id, new Date(instance.clock.now().getTime() + 60_000)],
    )
    expect(await begin(busy)).toMatchObject({ status: 429 })
    await instance.app.db.read.pool.query(`delete from attempt_gate where kind = 'upload'`)
    const { id } = (await begin(busy)).data
    expect(await sendPart(id, 0, partAt(0), busy)).toMatchObject({ status: 429 })
  })

  test('is its sender’s alone: to everybody else it does not exist', async () => {
    const { id } = (await begin()).data
    const other = await person(instance, { superAdmin: true })
    const answers = [
      await other.get(`/common/upload/${id}`),
      await sendPart(id, 0, partAt(0), other),
      await complete(id, other),
      await me.get('/common/upload/not-an-id'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  test('that nobody ends is gone after a day, with its parts', async () => {
    const { id } = (await begin()).data
    await sendPart(id, 0, partAt(0))
    const before = await stored()
    instance.clock.forward(DAY_MS + 60_000)
    await sweepFiles(instance.app)
    expect((await me.get(`/common/upload/${id}`)).status).toBe(404)
    expect((await stored()).length).toBeLessThan(before.length)
    expect((await readdir(join(folder, 'files'))).filter(name => name.endsWith('.part'))).toEqual([])
    instance.clock.set(new Date())
  })
})
