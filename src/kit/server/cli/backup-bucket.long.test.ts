import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#kit/server/database/database.ts'
import { readEnv } from '#kit/server/process/env.ts'
import { openTestBucket, type TestBucket } from '../../../../tools/testing/bucket.ts'
import { proof } from '../../../../tools/testing/commerce.ts'
import { emptyDatabase, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { png } from '../../../../tools/testing/pictures.ts'
import { allNames } from '../storage/store.ts'
import { openStores } from '../storage/stores.ts'
import { backup } from './backup.ts'
import { doctor } from './doctor.ts'
import { restore } from './restore.ts'

let folder: string
let bucket: TestBucket
let instance: TestInstance
let fileId: string
let said: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-backup-'))
  bucket = await openTestBucket('/one')
  instance = await openTestInstance({ env: { DATA_DIR: folder, ...bucket.env } })
  fileId = await proof(instance, (await person(instance, { superAdmin: true })).id, png(3, 2))
})
afterAll(async () => {
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  said = []
  vi.spyOn(console, 'log').mockImplementation(line => void said.push(String(line)))
})
afterEach(() => vi.restoreAllMocks())

const settings = (more: Record<string, string> = {}) =>
  readEnv({ DATABASE_URL: instance.url, DATA_DIR: folder, SEED: 'demo', SIMULATE: 'off', ...bucket.env, ...more })
const namesIn = (env = settings()) => allNames(openStores(env).store)
const files = () => said.filter(line => /files?\b|bucket|storage/.test(line) && !line.startsWith('note'))

describe('with files in a bucket', () => {
  test('a backup holds the files too, and a restore puts them into the bucket the settings name', async () => {
    const [to, empty, other] = [join(folder, 'first'), await emptyDatabase(), await openTestBucket()]
    expect(await backup(['--to', to], settings())).toBe(0)
    expect(await readdir(join(to, 'files'))).toEqual([fileId])
    const elsewhere = settings({ ...other.env, DATABASE_URL: empty.url, DATA_DIR: join(folder, 'other') })
    expect(await restore(['--from', to], elsewhere)).toBe(0)
    expect(await namesIn(elsewhere)).toEqual([fileId])
    expect(await readdir(join(folder, 'other', 'files'))).toEqual([])
    const { bucket: restored } = openStores(elsewhere)
    const answer = await fetch(restored?.link(fileId, new Date(), 60_000) ?? '')
    expect(await buffer(answer.body as never)).toEqual(png(3, 2))
    expect(answer.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''proof.png")
    await other.close()
    await empty.drop()
  })

  test('a restore beside the console that uses the bucket is refused before anything is written, unless told so', async () => {
    const [to, empty] = [join(folder, 'same'), await emptyDatabase()]
    await backup(['--to', to], settings())
    const beside = settings({ DATABASE_URL: empty.url, DATA_DIR: join(folder, 'beside') })
    const put = await openStores(beside).store.putAt(fileId)
    await expect(restore(['--from', to], beside)).rejects.toThrow(
      `The folder FILES_URL names holds files of this backup already, such as ${fileId}.`,
    )
    expect(await openStores(beside).store.putAt(fileId)).toEqual(put)
    expect(await restore(['--from', to, '--same-bucket'], beside)).toBe(0)
    expect(await namesIn(beside)).toEqual([fileId])
    await empty.drop()
  })

  test('what one console has put and not kept yet is no matter of its copy', async () => {
    const [to, empty, other] = [join(folder, 'unkept'), await emptyDatabase(), await openTestBucket()]
    const { id } = await instance.app.files.write(png(), { name: 'a.png', type: 'image/png' })
    await backup(['--to', to], settings())
    const elsewhere = settings({ ...other.env, DATABASE_URL: empty.url, DATA_DIR: join(folder, 'copy') })
    await restore(['--from', to], elsewhere)
    const copy = openDatabase(empty.url, 1)
    expect(await copy.query.selectFrom('file_unkept').select('id').execute()).toEqual([])
    await copy.close()
    await instance.app.files.discard(id)
    await other.close()
    await empty.drop()
  })

  test('the doctor tries the bucket and leaves nothing there', async () => {
    await doctor([], settings())
    expect(files()).toEqual([
      'ok     a bucket for files, if there is one, takes, gives and removes',
      'ok     every stored file is there',
    ])
    expect(await namesIn()).toEqual([fileId])
  })

  test('the doctor names keys the bucket does not take, by the bucket’s own word', async () => {
    expect(await doctor([], settings({ FILES_SECRET_KEY: 'not-the-key' }))).toBe(1)
    expect(files()[0]).toBe(
      'FAULT  a bucket for files, if there is one, takes, gives and removes: the object storage refused PUT: 403 SignatureDoesNotMatch',
    )
    expect(said.join()).not.toContain('not-the-key')
  })

  test('a file that is lost is named by the doctor and by the backup, which holds the rest', async () => {
    const lost = await proof(instance, (await person(instance)).id, png(4, 2))
    await openStores(settings()).store.remove(lost)
    expect(await doctor([], settings())).toBe(1)
    expect(files()).toContain(`FAULT  every stored file is there: 1 of 2 are missing, such as ${lost}`)
    expect(await backup(['--to', join(folder, 'second')], settings())).toBe(0)
    expect(said).toContain(`1 of the files the database names is lost and not in it, such as ${lost}.`)
    expect(await readdir(join(folder, 'second', 'files'))).toEqual([fileId])
  })
})
