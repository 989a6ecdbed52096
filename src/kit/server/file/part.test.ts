import { beforeAll, describe, expect, test } from 'vitest'
import { mp4 } from '../../../../tools/testing/films.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendFile } from '../../../../tools/testing/live.ts'
import { attachSent } from '../live/sent-file.ts'
import { partAsked } from './routes.ts'

test.each([
  ['bytes=0-', { first: 0, last: 99, of: 100 }],
  ['bytes=10-19', { first: 10, last: 19, of: 100 }],
  ['bytes=90-500', { first: 90, last: 99, of: 100 }],
  ['bytes=-10', { first: 90, last: 99, of: 100 }],
  ['bytes=-500', { first: 0, last: 99, of: 100 }],
  ['bytes=100-', undefined],
  ['bytes=20-10', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-1', undefined],
  [undefined, undefined],
])('of a hundred bytes, %s asks for %o', (range, part) => {
  expect(partAsked(range, 100)).toEqual(part)
})

describe('a film', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance()
  })

  test('is shown, and given in the parts a player asks for when somebody seeks', async () => {
    const film = mp4()
    const { data } = await sendFile(instance, 'app', film, { purpose: 'video' })
    const bind = (purpose: 'image' | 'video') =>
      instance.app.db.write(tx => attachSent(tx, 'app', [data.id], 'video-opus', '1', purpose))
    await expect(bind('image')).rejects.toThrow('file-unknown')
    await bind('video')
    const url = await instance.app.files.link(data.id, instance.app.clock.now())
    const ask = (headers: Record<string, string>) => instance.http.inject({ url, headers })
    const whole = await ask({})
    expect(whole.statusCode).toBe(200)
    expect(whole.rawPayload).toEqual(film)
    expect(whole.headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-type': 'video/mp4',
      'content-disposition': expect.stringMatching(/^inline/),
    })
    const part = await ask({ range: 'bytes=4-7' })
    expect(part.statusCode).toBe(206)
    expect(part.rawPayload.toString()).toBe('ftyp')
    expect(part.headers).toMatchObject({ 'content-range': `bytes 4-7/${film.length}`, 'content-length': '4' })
  })

  test('is refused in words of its own where it is none, or more than one', async () => {
    expect(await sendFile(instance, 'app', Buffer.from('<html>'), { purpose: 'video' })).toMatchObject({
      code: 4005,
      data: { fields: { file: expect.stringContaining('MP4 or WebM') } },
    })
  })

  test('of a child is opened by no link that was made up, and found by nobody who does not see its work', async () => {
    const { data } = await sendFile(instance, 'app', mp4(), { purpose: 'video' })
    const stranger = await person(instance, { grants: { 'video-opus': ['list', 'detail'] }, scope: 'SELF' })
    expect(await stranger.post(`/common/file/${data.id}/link`)).toMatchObject({ code: 4004 })
    const forged = `/api/common/file/${data.id}?expires=9999999999999&signature=${'0'.repeat(64)}`
    expect((await instance.http.inject({ url: forged, headers: { range: 'bytes=0-3' } })).statusCode).toBe(403)
  })
})
