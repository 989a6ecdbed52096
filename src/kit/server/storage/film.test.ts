import { describe, expect, test } from 'vitest'
import { box, element, mp4, ogg, webm } from '../../../../tools/testing/films.ts'
import { readContent } from './content.ts'

const SECRET = 'GPS 31.2304 N 121.4737 E'
const secret = Buffer.from(SECRET)
const read = (bytes: Buffer) => {
  const content = readContent(Buffer.from(bytes))
  return typeof content === 'object' ? content : undefined
}

describe('a film', () => {
  test('is told by its content, also one whose length nobody knew while it was filmed', () => {
    expect([mp4(), webm(), webm({ isOpen: true })].map(film => read(film)?.type)).toEqual([
      'video/mp4',
      'video/webm',
      'video/webm',
    ])
  })

  test('keeps no place, time or note of the shot, and nothing in it moves', () => {
    const time = Buffer.from('TIME')
    const notes = [box('udta', secret), box('meta', secret), box('uuid', secret), box('free', secret)]
    const films = [
      mp4({ time, top: notes, movie: notes, track: notes }),
      webm({
        info: [element('4461', secret), element('7ba9', secret)],
        segment: [element('1254c367', secret), element('1941a469', secret), element('ec', secret)],
      }),
    ]
    for (const film of films) {
      const cleaned = read(film)?.bytes
      expect(cleaned?.length).toBe(film.length)
      expect(cleaned?.includes(SECRET)).toBe(false)
      expect(cleaned?.includes(time)).toBe(false)
      // What was cleaned is a film still, and stays as it is.
      expect(cleaned && read(cleaned)?.bytes.equals(cleaned)).toBe(true)
    }
  })

  test('that carries more than pictures and sound is refused: a phone keeps where it was in a track of its own', () => {
    const others = [mp4({ handlers: ['vide', 'meta'] }), mp4({ handlers: ['soun'] }), webm({ types: [1, 0x21] })]
    expect([...others, webm({ docType: 'matroska' })].map(read)).toEqual(Array(4).fill(undefined))
  })

  test('that is cut off, or two things at once, is refused', () => {
    const html = Buffer.from('<html><script>alert(1)</script></html>')
    for (const whole of [mp4(), webm()]) {
      expect(read(Buffer.concat([whole, html]))).toBeUndefined()
      for (const length of [5, 12, 40, whole.length - 20, whole.length - 1])
        expect(read(whole.subarray(0, length)), `${length} bytes`).toBeUndefined()
    }
  })
})

describe('what was only heard', () => {
  test('is told by its content, with its length, also where nobody knew that while it was spoken', () => {
    expect([ogg(3), webm({ types: [2], isOpen: true })].map(read)).toEqual([
      { type: 'audio/ogg', seconds: 3, bytes: expect.any(Buffer) },
      { type: 'audio/webm', seconds: expect.any(Number), bytes: expect.any(Buffer) },
    ])
  })

  test('that is cut off, two things at once, or of another stream is refused', () => {
    const whole = ogg()
    const others = [whole.subarray(0, -1), Buffer.concat([whole, Buffer.from('<html>')]), Buffer.from('OggS')]
    const stranger = Buffer.from(whole)
    stranger.writeUInt32LE(8, whole.lastIndexOf('OggS') + 14)
    expect([...others, stranger].map(read)).toEqual(Array(4).fill(undefined))
  })
})
