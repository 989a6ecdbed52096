import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { XLSX_TYPE } from '#kit/model/upload.ts'
import { openTestBucket, type TestBucket } from '../../../../tools/testing/bucket.ts'
import {
  type Answer,
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { jpeg, pdf, png, segment } from '../../../../tools/testing/pictures.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { openBucket } from './bucket.ts'
import { attach, LINK_LIFE_MS, sweepFiles } from './file.ts'
import { allNames, StorageAway } from './store.ts'
import { openStores } from './stores.ts'

type Uploaded = { id: string; name: string; type: string }

const SECRET = 'S3RVER'
const DAY_MS = 86_400_000
let bucket: TestBucket
let instance: TestInstance
let folder: string
let sender: Caller & { orgId: string }

beforeAll(async () => {
  bucket = await openTestBucket('/school')
  folder = await mkdtemp(join(tmpdir(), 'inkstone-bucket-'))
  instance = await openTestInstance({ env: { DATA_DIR: folder, ...bucket.env } })
  sender = await person(instance, { grants: { 'order-list': ['list', 'export'] }, scope: 'SELF' })
})
afterAll(async () => {
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

async function upload(bytes: Buffer, name = 'a.png', purpose = 'image'): Promise<Answer<Uploaded>> {
  const head = `--edge\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const answer = await instance.http.inject({
    method: 'POST',
    url: `/api/common/upload?purpose=${purpose}`,
    headers: {
      'accept-language': 'en-US',
      'content-type': 'multipart/form-data; boundary=edge',
      authtoken: sender.token,
    },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
  })
  return { ...answer.json(), status: answer.statusCode, headers: answer.headers, body: answer.body }
}
const linkOf = async (by: Caller, id: string) => (await by.post<{ url: string }>(`/common/file/${id}/link`)).data.url
const inBucket = () => allNames(openStores(instance.app.env).store)
const siteOf = ({ env }: TestBucket) => `${env.FILES_URL.replace('s3://', 'http://').replace('?tls=off', '')}/`
const onDisk = () => readdir(join(folder, 'files')).catch(() => [])

describe('a file in a bucket', () => {
  test('is there and not on this machine, under a name of ours, without the place it was taken', async () => {
    const shot = jpeg([segment(0xe1, Buffer.from('Exif\0\0GPS 31.2304 N'))])
    const { data } = await upload(shot, '../作业 (1).html')
    expect(await inBucket()).toEqual([data.id])
    expect(await onDisk()).toEqual([])
    const answer = await fetch(await linkOf(sender, data.id))
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(jpeg())
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent('作业 ')}%281%29.jpg`,
      'cache-control': 'no-store',
    })
  })

  test('that is no picture is saved and not shown', async () => {
    const { data } = await upload(pdf(), 'a.pdf', 'document')
    const { headers } = await fetch(await linkOf(sender, data.id))
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'application/pdf',
      "attachment; filename*=UTF-8''a.pdf",
    ])
  })

  test('that is refused never reaches it', async () => {
    const before = await inBucket()
    const svg = Buffer.from('<svg onload="alert(1)"/>')
    for (const bytes of [svg, Buffer.concat([png(), svg]), png(10_000, 6_000)])
      expect(await upload(bytes)).toMatchObject({ status: 422, code: 4005 })
    expect(await inBucket()).toEqual(before)
  })

  test('opens at the storage itself, for five minutes, by a link that nobody can bend', async () => {
    const [first, second] = [await upload(png()), await upload(png())]
    const url = await linkOf(sender, first.data.id)
    expect(url.startsWith(`${siteOf(bucket)}${first.data.id}?`)).toBe(true)
    expect(Number(new URL(url).searchParams.get('X-Amz-Expires')) * 1_000).toBe(LINK_LIFE_MS)
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url.replace(first.data.id, second.data.id))).status).toBe(403)
    expect((await fetch(url.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000'))).status).toBe(403)
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403)
    const then = instance.clock.now()
    instance.clock.set(new Date(Date.now() - LINK_LIFE_MS - 1_000))
    expect((await fetch(await linkOf(sender, first.data.id))).status).toBe(403)
    instance.clock.set(then)
  })

  test('is linked to for whoever sees its record, and for nobody else', async () => {
    const orderId = await placeOrder(instance, { ownerId: sender.id, orgId: sender.orgId })
    const { data } = await upload(png())
    const others = [
      await person(instance, { grants: { 'order-list': ['list'] } }),
      await person(instance, { grants: { 'order-list': ['list'] }, scope: 'SELF' }),
    ]
    const statuses = async () =>
      (await Promise.all([sender, ...others].map(by => by.post(`/common/file/${data.id}/link`)))).map(
        ({ status }) => status,
      )
    expect(await statuses()).toEqual([200, 404, 404])
    await instance.app.db.write(tx => attach(tx, sender.id, { proof: [data.id] }, 'order-list', orderId))
    expect(await statuses()).toEqual([200, 200, 404])
  })

  test('that somebody removed there is told as gone, not as an error', async () => {
    const { data } = await upload(png())
    await openStores(instance.app.env).store.remove(data.id)
    const url = await linkOf(sender, data.id)
    expect((await instance.http.inject({ url, headers: { 'accept-language': 'en-US' } })).json()).toMatchObject({
      code: 4004,
      msg: expect.stringContaining('no longer on the server'),
    })
  })

  test('that was stored in the folder before there was a bucket still opens', async () => {
    const { data } = await upload(png())
    await openStores(instance.app.env).store.remove(data.id)
    await mkdir(join(folder, 'files'), { recursive: true })
    await writeFile(join(folder, 'files', data.id), png())
    const answer = await instance.http.inject({ url: await linkOf(sender, data.id) })
    expect(answer.rawPayload).toEqual(png())
  })
})

describe('the bucket', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    instance.clock.set(new Date())
  })

  test('is the one place besides the console that pages may show pictures and films from', async () => {
    const policy = String((await instance.http.inject({ url: '/' })).headers['content-security-policy'])
    const site = siteOf(bucket)
    expect(policy).toContain(`img-src 'self' data: blob: ${site};`)
    expect(policy).toContain(`media-src 'self' ${site};`)
    expect(policy.split(site)).toHaveLength(3)
    expect(policy.split(';')).toContain("connect-src 'self'")
  })

  test('keeps what others put there; what we put and nobody kept is removed after a day', async () => {
    const others = await openTestInstance({ env: { DATA_DIR: folder, ...bucket.env } })
    const theirs = await others.app.files.write(png(), { name: 'a.png', type: 'image/png' })
    const left = await instance.app.files.write(png(), { name: 'a.png', type: 'image/png' })
    const loose = (await upload(png())).data.id
    const bound = (await upload(png())).data.id
    await instance.app.db.write(tx => attach(tx, sender.id, { proof: [bound] }, 'order-list', '7'))
    await sweepFiles(instance.app)
    expect(await inBucket()).toEqual(expect.arrayContaining([theirs.id, left.id, loose, bound]))
    instance.clock.forward(DAY_MS + 60_000)
    await sweepFiles(instance.app)
    const names = await inBucket()
    expect(names).toEqual(expect.arrayContaining([theirs.id, bound]))
    expect(names.filter(name => [left.id, loose].includes(name))).toEqual([])
  })

  test('may refuse to let go of one file: it is named in the log, and all others are removed', async () => {
    const left = await Promise.all(
      Array.from({ length: 4 }, () => instance.app.files.write(png(), { name: 'a.png', type: 'image/png' })),
    )
    const stuck = left[1]?.id as string
    const warn = vi.spyOn(instance.app.log, 'warn').mockReturnValue()
    const asked = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((url, request) =>
      request?.method === 'DELETE' && String(url).endsWith(stuck)
        ? Promise.resolve(new Response('<Code>AccessDenied</Code>', { status: 403 }))
        : asked(url, request),
    )
    instance.clock.forward(DAY_MS + 60_000)
    await sweepFiles(instance.app)
    const names = await inBucket()
    expect(left.filter(({ id }) => names.includes(id)).map(({ id }) => id)).toEqual([stuck])
    expect(warn.mock.calls).toEqual([[expect.objectContaining({ file: stuck }), expect.any(String)]])
    vi.restoreAllMocks()
    await sweepFiles(instance.app)
    expect(await inBucket()).not.toContain(stuck)
  })

  test('that does not answer is not asked for one file after the other', async () => {
    for (let n = 0; n < 5; n += 1) await instance.app.files.write(png(), { name: 'a.png', type: 'image/png' })
    vi.spyOn(instance.app.log, 'warn').mockReturnValue()
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('', { status: 403 }))
    instance.clock.forward(DAY_MS + 60_000)
    await sweepFiles(instance.app)
    expect(fetched).toHaveBeenCalledTimes(3)
  })

  test('gets exports of many rows, and gives them to whoever asked for them alone', async () => {
    const own = await instance.app.files.write(Buffer.from('rows'), { name: '订单.xlsx', type: XLSX_TYPE })
    const { id: taskId } = await instance.app.db.query
      .insertInto('task')
      .values({
        kind: 'EXPORT',
        title: '订单',
        state: 'DONE',
        owner_id: sender.id,
        request: JSON.stringify({ screen: 'orders/order' }),
        file_id: own.id,
        created_at: instance.clock.now(),
        ended_at: instance.clock.now(),
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await instance.app.files.keep(instance.app.db.query, own, {
      purpose: 'export',
      ownerId: sender.id,
      now: instance.clock.now(),
      taskId,
    })
    const answer = await sender.get<{ url: string }>(`/common/task/${taskId}/download`)
    expect(answer).toMatchObject({ status: 200, code: 0 })
    const file = await fetch(answer.data.url)
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent('订单.xlsx')}`,
    )
    expect(await file.text()).toBe('rows')
    const other = await person(instance, { superAdmin: true })
    expect(await other.get(`/common/task/${taskId}/download`)).toMatchObject({ status: 404 })
    expect(await other.post(`/common/file/${own.id}/link`)).toMatchObject({ status: 404 })
  })

  test('is spoken to without its key ever standing in a line of the log', () => {
    expect(instance.logged.length).toBeGreaterThan(0)
    expect(instance.logged.filter(line => /X-Amz-Signature|AWS4-HMAC/i.test(line) || line.includes(SECRET))).toEqual([])
  })
})

describe('a storage that does not answer', () => {
  test('is told as something that passes: nothing is stored, and the rest goes on', async () => {
    const own = await openTestBucket()
    const dataDir = await mkdtemp(join(tmpdir(), 'inkstone-bucket-'))
    const alone = await openTestInstance({ clock: stoppedClock(), env: { DATA_DIR: dataDir, ...own.env } })
    const me = await person(alone, { superAdmin: true })
    await own.close()
    const answer = await alone.http.inject({
      method: 'POST',
      url: '/api/common/upload?purpose=image',
      headers: {
        'accept-language': 'en-US',
        'content-type': 'multipart/form-data; boundary=edge',
        authtoken: me.token,
      },
      payload: Buffer.concat([
        Buffer.from('--edge\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
        png(),
        Buffer.from('\r\n--edge--\r\n'),
      ]),
    })
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ msg: expect.stringContaining('file storage') })
    expect(answer.headers['retry-after']).toBeDefined()
    expect(await alone.app.db.query.selectFrom('file').select('id').execute()).toEqual([])
    expect(await readdir(join(dataDir, 'files'))).toEqual([])
    expect(await me.get('/orders/order')).toMatchObject({ code: 0 })
    await rm(dataDir, { recursive: true, force: true })
  })

  test('is asked three times before that is said', async () => {
    const place = { root: 'http://127.0.0.1:9/bucket', folder: '', region: 'us-east-1' }
    const begun = performance.now()
    await expect(openBucket(place, { accessKey: 'a', secretKey: 'b' }).putAt('x')).rejects.toThrow(StorageAway)
    expect(performance.now() - begun).toBeGreaterThan(900)
  })

  test('with other keys refuses by its own word, which names no key', async () => {
    const { store } = openStores({ ...instance.app.env, FILES_SECRET_KEY: 'another-secret' })
    const refused = await allNames(store).catch(String)
    expect(refused).toBe('Error: the object storage refused list: 403 SignatureDoesNotMatch')
  })
})
