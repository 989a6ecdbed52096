import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendFile } from '../../../../tools/testing/live.ts'
import { png } from '../../../../tools/testing/pictures.ts'
import { attachSent } from './sent-file.ts'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

const idOf = async () => (await sendFile(instance, 'app', png())).data.id
const bind = (source: 'app' | 'douyin', ids: readonly string[]) =>
  instance.app.db.write(tx => attachSent(tx, source, ids, 'order-list', '1'))

describe('a picture the app sends', () => {
  test('is taken, and belongs to nobody until an event names it', async () => {
    expect(await sendFile(instance, 'app', png())).toMatchObject({ code: 0, data: { type: 'image/png' } })
    const caller = await person(instance, { superAdmin: true })
    expect(await caller.post(`/common/file/${await idOf()}/link`)).toMatchObject({ code: 4004 })
  })

  test('is refused when the signature, the time or the picture is not the one that was signed', async () => {
    expect(await sendFile(instance, 'app', png(), { secret: 'wrong' })).toMatchObject({ code: 4003 })
    expect(await sendFile(instance, 'app', png(), { timestamp: '1700000000' })).toMatchObject({ code: 4003 })
    const other = createHash('sha256').update('other').digest('hex')
    expect(await sendFile(instance, 'app', png(), { digest: other })).toMatchObject({ code: 4005 })
  })

  test('is judged by its content as any other', async () => {
    expect(await sendFile(instance, 'app', Buffer.from('<html>'))).toMatchObject({ code: 4005 })
  })

  test('goes to one record, and to none by an event of another source', async () => {
    const id = await idOf()
    await expect(bind('douyin', [id])).rejects.toThrow('file-unknown')
    await bind('app', [id])
    await expect(bind('app', [id])).rejects.toThrow('file-unknown')
  })
})
