import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ogg } from '../../../../tools/testing/films.ts'
import {
  type Answer,
  type Caller,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { jpeg, pdf, png, segment } from '../../../../tools/testing/pictures.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { attach, openFiles, sweepFiles } from './file.ts'

type Uploaded = { id: string; name: string; type: string; bytes: number }

let instance: TestInstance
let folder: string
let sender: Caller & { orgId: string }
const SECOND_MS = 1_000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-file-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder } })
  sender = await person(instance, { grants: { 'order-list': ['list'] }, scope: 'SELF' })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function upload(
  by: Pick<Caller, 'token'>,
  bytes: Buffer,
  name = 'a.png',
  purpose = 'image',
  claimed = 'image/png',
): Promise<Answer<Uploaded>> {
  const head = `--edge\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${claimed}\r\n\r\n`
  const answer = await instance.http.inject({
    method: 'POST',
    url: `/api/common/upload?purpose=${purpose}`,
    headers: {
      'accept-language': 'en-US',
      'content-type': 'multipart/form-data; boundary=edge',
      ...(by.token ? { authtoken: by.token } : {}),
    },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
  })
  return { ...answer.json(), status: answer.statusCode, headers: answer.headers, body: answer.body }
}
const linkOf = async (by: Caller, id: string) => (await by.post<{ url: string }>(`/common/file/${id}/link`)).data.url
const open = (url: string) => instance.http.inject({ method: 'GET', url, headers: { 'accept-language': 'en-US' } })
const onDisk = () => readdir(join(folder, 'files')).catch(() => [])
const inTable = async () => (await instance.app.db.query.selectFrom('file').select('id').execute()).map(({ id }) => id)

describe('an upload', () => {
  test('is kept under a name of ours, whatever the sender called it and said it was', async () => {
    const answer = await upload(sender, png(), '../../x.html', 'image', 'text/html')
    expect(answer).toMatchObject({ code: 0, data: { name: 'x.png', type: 'image/png', bytes: png().length } })
    expect(await onDisk()).toEqual([answer.data.id])
    expect(await readFile(join(folder, 'files', answer.data.id))).toEqual(png())
    expect((await stat(join(folder, 'files', answer.data.id))).mode & 0o777).toBe(0o600)
  })

  test('of something else, or of two things at once, is refused and leaves nothing', async () => {
    const before = [await onDisk(), await inTable()]
    const refused = [
      await upload(sender, Buffer.from('<svg onload="alert(1)"/>'), 'a.svg'),
      await upload(sender, Buffer.from('<html><script>alert(1)</script>'), 'a.jpg', 'image', 'image/jpeg'),
      await upload(sender, Buffer.concat([png(), Buffer.from('<script>alert(1)</script>')])),
      await upload(sender, pdf(), 'a.pdf'),
      await upload(sender, Buffer.alloc(0)),
    ]
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 422,
        code: 4005,
        data: { fields: { file: expect.stringContaining('not allowed here') } },
      })
    }
    expect(await upload(sender, png(10_000, 6_000))).toMatchObject({
      code: 4005,
      msg: expect.stringContaining('too many pixels'),
    })
    expect([await onDisk(), await inTable()]).toEqual(before)
  })

  test('counts for its sender: so much a day, and then what is left and when all is free again is told', async () => {
    const own = await openTestInstance({ url: instance.url, env: { DATA_DIR: folder, UPLOAD_MB_PER_DAY: '20' } })
    own.clock.set('2026-11-15T02:00:00Z')
    const me = await person(own)
    const send = (mib: number) =>
      own.http.inject({
        method: 'POST',
        url: '/api/common/upload?purpose=document',
        headers: {
          authtoken: me.token,
          'accept-language': 'en-US',
          'content-type': 'multipart/form-data; boundary=edge',
        },
        payload: Buffer.concat([
          Buffer.from('--edge\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n'),
          Buffer.alloc(mib * 1_048_576, 32),
          Buffer.from('\n%%EOF\n\r\n--edge--\r\n'),
        ]),
      })
    expect((await send(12)).json()).toMatchObject({ code: 0 })
    own.clock.forward(3_600_000)
    const over = await send(9)
    expect(over.json()).toMatchObject({
      code: 4029,
      msg: 'Too many attempts: You can still send 7 MB of the 20 MB a day. All of it is free again at 2026-11-16 10:00.',
    })
    expect(over.headers['retry-after']).toBe(String(23 * 3_600))
    expect((await send(7)).json()).toMatchObject({ code: 0 })
    own.clock.forward(23 * 3_600_000)
    expect((await send(12)).json()).toMatchObject({ code: 0 })
  })

  test('may be as large as its purpose allows and no larger', async () => {
    const large = (bytes: number) =>
      Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes, 32), Buffer.from('%%EOF')])
    expect(await upload(sender, large(12 * 1_048_576), 'a.pdf', 'document')).toMatchObject({ code: 0 })
    expect(await upload(sender, large(20 * 1_048_576), 'a.pdf', 'document')).toMatchObject({ status: 400, code: 4000 })
    expect((await upload(sender, large(21 * 1_048_576), 'a.pdf', 'document')).msg).toBe(
      'Parameters not valid: The content is too large. At most 20 MB can be sent.',
    )
    expect((await onDisk()).filter(name => name.endsWith('.part'))).toEqual([])
    expect(await upload(sender, large(11 * 1_048_576), 'a.pdf', 'image')).toMatchObject({ status: 400, code: 4000 })
    expect(await upload(sender, png(), 'a.png', 'weapon')).toMatchObject({ status: 400, code: 4000 })
  })

  test('needs a session, a file, and an end: 1 000 a day for each person', async () => {
    expect(await upload({ token: '' }, png())).toMatchObject({ status: 401 })
    expect(await sender.post('/common/upload?purpose=image', {})).toMatchObject({ status: 400, code: 4000 })
    const busy = await person(instance)
    await instance.app.db.read.pool.query(
      `insert into attempt_gate (kind, subject, attempts, window_until) values ('upload', $1, 1000, $2)`,
      [busy.id, new Date(instance.clock.now().getTime() + 60 * SECOND_MS)],
    )
    expect(await upload(busy, png())).toMatchObject({ status: 429, code: 4029 })
  })
})

describe('a file', () => {
  test('is shown by its link, without the place the picture was taken', async () => {
    const shot = jpeg([segment(0xe1, Buffer.from('Exif\0\0GPS 31.2304 N'))])
    const { data } = await upload(sender, shot, '作业 (1).jpg')
    const answer = await open(await linkOf(sender, data.id))
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload).toEqual(jpeg())
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent('作业 ')}%281%29.jpg`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      code: '0',
    })
  })

  test('that is no picture is saved and not shown', async () => {
    const { data } = await upload(sender, pdf(), 'a.pdf', 'document')
    const { headers } = await open(await linkOf(sender, data.id))
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''a.pdf",
      'content-security-policy': 'sandbox',
    })
  })

  test('opens for five minutes by a link that nobody can make or bend', async () => {
    const { data } = await upload(sender, png())
    const other = await upload(sender, png())
    const url = await linkOf(sender, data.id)
    const refused = async (bent: string) => expect((await open(bent)).json()).toMatchObject({ code: 4003 })
    await refused(url.replace(data.id, other.data.id))
    await refused(url.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 1}`))
    await refused(url.replace(/signature=.*/, `signature=${'0'.repeat(64)}`))
    expect((await open(`/api/common/file/${data.id}`)).json()).toMatchObject({ code: 4000 })
    instance.clock.forward(299 * SECOND_MS)
    expect((await open(url)).statusCode).toBe(200)
    instance.clock.forward(SECOND_MS)
    await refused(url)
  })

  test('has no other name: paths lead nowhere', async () => {
    const tail = `?expires=${instance.clock.now().getTime() + 9_000}&signature=${'0'.repeat(64)}`
    const names = [
      '..%2f..%2f..%2fetc%2fpasswd',
      '..%5c..%5cwin.ini',
      '%00',
      '%2fproc%2fself%2fenviron',
      'file-key',
      'x'.repeat(3_000),
    ]
    for (const name of names) {
      expect((await open(`/api/common/file/${name}${tail}`)).json()).toMatchObject({ code: 4004 })
      expect(await sender.post(`/common/file/${name}/link`)).toMatchObject({ status: 404, code: 4004 })
    }
  })

  test('of a record opens to whoever sees the record, a loose one to its sender alone', async () => {
    const orderId = await placeOrder(instance, { ownerId: sender.id, orgId: sender.orgId })
    const { data } = await upload(sender, png())
    const manager = await person(instance, { grants: { 'order-list': ['list'] } })
    const colleague = await person(instance, { grants: { 'order-list': ['list'] }, scope: 'SELF' })
    const stranger = await person(instance, { grants: { dictionary: ['list'] } })
    const mayLink = async () =>
      (
        await Promise.all([sender, manager, colleague, stranger].map(by => by.post(`/common/file/${data.id}/link`)))
      ).map(({ status }) => status)
    expect(await mayLink()).toEqual([200, 404, 404, 404])
    await instance.app.db.write(tx => attach(tx, sender.id, { proof: [data.id] }, 'order-list', orderId))
    expect(await mayLink()).toEqual([200, 200, 404, 404])
  })

  test('sent by somebody else cannot be taken for one’s own record, nor one that is bound already', async () => {
    const thief = await person(instance, { grants: { 'order-list': ['list'] } })
    const { data } = await upload(sender, png())
    const take = (by: Caller, recordId: string) =>
      instance.app.db.write(tx => attach(tx, by.id, { proof: [data.id] }, 'order-list', recordId))
    await expect(take(thief, '1')).rejects.toMatchObject({ kind: 'validation', fields: { proof: {} } })
    await take(sender, '1')
    await take(sender, '1')
    await expect(take(sender, '2')).rejects.toMatchObject({ kind: 'validation' })
    await expect(
      instance.app.db.write(tx => attach(tx, sender.id, { proof: [data.id] }, 'order-list', '1', 'voice')),
    ).rejects.toMatchObject({ kind: 'validation' })
    expect(await instance.app.files.find(data.id)).toMatchObject({ page: 'order-list', recordId: '1' })
  })

  test('said aloud is a recording of a minute at most, and nothing else', async () => {
    const speak = (bytes: Buffer) => upload(sender, bytes, 'voice', 'voice', 'audio/ogg')
    expect(await speak(ogg(60))).toMatchObject({ code: 0 })
    expect(await speak(ogg(62))).toMatchObject({ code: 4005, msg: expect.stringContaining('at most 60 seconds') })
    expect(await speak(png())).toMatchObject({ code: 4005, msg: expect.stringContaining('no whole recording') })
    expect(await upload(sender, ogg(), 'a.png')).toMatchObject({ code: 4005 })
  })

  test('no longer on the disk is told as such, not as an error', async () => {
    const { data } = await upload(sender, png())
    await rm(join(folder, 'files', data.id))
    expect((await open(await linkOf(sender, data.id))).json()).toMatchObject({
      code: 4004,
      msg: expect.stringContaining('no longer on the server'),
    })
  })
})

describe('the sweep', () => {
  test('removes loose uploads after a day and leavings on the disk, and nothing else', async () => {
    const bound = (await upload(sender, png())).data.id
    const loose = (await upload(sender, png())).data.id
    await instance.app.db.write(tx => attach(tx, sender.id, { proof: [bound] }, 'order-list', '7'))
    const leaving = join(folder, 'files', `${loose.replace(/^./, '0')}.part`)
    await writeFile(leaving, 'half')
    const then = new Date(instance.clock.now().getTime() - 60 * SECOND_MS)
    await utimes(leaving, then, then)
    await sweepFiles(instance.app)
    expect(await onDisk()).toEqual(expect.arrayContaining([loose, bound, basename(leaving)]))
    instance.clock.forward(86_401 * SECOND_MS)
    const fresh = (await upload(sender, png())).data.id
    await sweepFiles(instance.app)
    const left = await onDisk()
    expect(left).toEqual(expect.arrayContaining([bound, fresh]))
    expect(left.some(name => name === loose || name.endsWith('.part'))).toBe(false)
    expect((await inTable()).toSorted()).toEqual(expect.arrayContaining([bound, fresh].toSorted()))
    expect(await inTable()).not.toContain(loose)
  })
})

describe('the key of the links', () => {
  test('is made once, for the server’s eyes only, and outlives a restart', async () => {
    const own = await mkdtemp(join(tmpdir(), 'inkstone-key-'))
    const id = '00000000-0000-4000-8000-000000000000'
    const now = new Date()
    const urls = await Promise.all([1, 2, 3].map(() => openFiles({ DATA_DIR: own }, instance.app.db).link(id, now)))
    expect(new Set(urls).size).toBe(1)
    expect(await readdir(own)).toEqual(['file-key'])
    expect((await stat(join(own, 'file-key'))).mode & 0o777).toBe(0o600)
    await rm(own, { recursive: true })
  })
})
