import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBucket, type TestBucket } from '../../../../tools/testing/bucket.ts'
import { writeAside } from './aside.ts'
import { allNames, type Store } from './store.ts'
import { filesFolder, openStores } from './stores.ts'

const CALLED = { name: '作业 (1).png', type: 'image/png' }
const KINDS = [
  { kind: 'a folder', openBucket: async () => undefined },
  { kind: 'a bucket', openBucket: () => openTestBucket() },
  { kind: 'a folder of a bucket', openBucket: () => openTestBucket('/school/files') },
]

/** One contract: whoever keeps files need not know where. */
describe.each(KINDS)('$kind', ({ openBucket }) => {
  let dataDir: string
  let bucket: TestBucket | undefined
  let store: Store
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'inkstone-store-'))
    bucket = await openBucket()
    store = openStores({ DATA_DIR: dataDir, ...bucket?.env }).store
  })
  afterAll(async () => {
    await bucket?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const put = async (bytes: Buffer, name: string = randomUUID()) => {
    const aside = await writeAside(filesFolder(dataDir), () => Readable.from([bytes]))
    await store.put(name, aside, CALLED)
    return name
  }
  const read = async (name: string) => {
    const found = await store.read(name)
    return found && buffer(found)
  }
  const names = async () => (await allNames(store)).toSorted()

  test('gives back, byte for byte, what was put there', async () => {
    for (const bytes of [Buffer.from('x'), randomBytes(3_000_001)])
      expect((await read(await put(bytes)))?.equals(bytes)).toBe(true)
  })

  test('leaves nothing behind where it was written aside', async () => {
    await put(randomBytes(10))
    expect((await readdir(filesFolder(dataDir))).filter(name => name.endsWith('.part'))).toEqual([])
  })

  test('says that what is not there is not there, and lets it be removed again', async () => {
    const name = await put(Buffer.from('x'))
    expect(await names()).toContain(name)
    expect(Math.abs(Number(await store.putAt(name)) - Date.now())).toBeLessThan(60_000)
    await store.remove(name)
    expect([await store.read(name), await store.putAt(name)]).toEqual([undefined, undefined])
    expect(await names()).not.toContain(name)
    await store.remove(name)
  })

  test('puts a file over one of the same name as a whole', async () => {
    const name = await put(randomBytes(1_000))
    await put(Buffer.from('new'), name)
    expect(await read(name)).toEqual(Buffer.from('new'))
  })

  test('knows no way out of itself', async () => {
    for (const name of ['../x', 'a/b', '..', '.hidden', '', 'a\\b', 'a%2fb', 'a?b', 'a#b'])
      await expect(Promise.resolve().then(() => store.read(name))).rejects.toThrow('not a name')
  })
})
