import { crc32 } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { gif, jpeg, pdf, png, segment, webp } from '../../../../tools/testing/pictures.ts'
import { readContent, safeName } from './content.ts'

const html = Buffer.from('<html><script>alert(1)</script></html>')
const typeOf = (bytes: Buffer) => {
  const content = readContent(bytes)
  return typeof content === 'object' ? content.type : content
}
const workbook = async () => Buffer.from(await writeXlsx({ sheets: [{ name: 'a', rows: [['x', 1]] }] }))

describe('what a file is', () => {
  test('is told by its content', async () => {
    expect([png(), jpeg(), gif(), webp(), pdf(), await workbook()].map(typeOf)).toEqual([
      'image/png',
      'image/jpeg',
      'image/gif',
      'image/webp',
      'application/pdf',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
  })

  test('and nothing else is taken', () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    const others = [
      svg,
      html,
      Buffer.alloc(0),
      Buffer.from('MZ\x90\0'),
      Buffer.from('#!/bin/sh\n'),
      Buffer.from('just text'),
    ]
    expect(others.map(typeOf)).toEqual(others.map(() => undefined))
  })

  test('a file that is two things at once is refused', async () => {
    const script = Buffer.from('GIF89a=1;alert(document.cookie)//')
    const zip = await workbook()
    const two = [
      Buffer.concat([png(), html]),
      Buffer.concat([gif(), html]),
      Buffer.concat([webp(), html]),
      Buffer.concat([pdf(), zip]),
      Buffer.concat([pdf(), Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1')]),
      Buffer.concat([zip, html]),
      Buffer.concat([Buffer.from('%PDF-1.7\n'), html]),
      script,
    ]
    expect(two.map(typeOf)).toEqual(two.map(() => undefined))
  })

  test('a ZIP that is no workbook, or one with macros, is refused', async () => {
    const zip = await workbook()
    const renamed = (from: string, to: string) => Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
    expect(typeOf(renamed('xl/workbook.xml', 'xl/workbuch.xml'))).toBeUndefined()
    expect(typeOf(renamed('xl/styles.xml', 'vbaProject.x1'))).toBeUndefined()
    expect(typeOf(renamed('xl/styles.xml', '../styles.xm1'))).toBeUndefined()
  })

  test('a cut-off picture is refused, wherever it is cut', () => {
    for (const whole of [png(), jpeg(), gif(), webp()]) {
      for (let length = 0; length < whole.length; length += 1) expect(typeOf(whole.subarray(0, length))).toBeUndefined()
    }
  })

  test('a small file that unfolds to a huge picture is refused', () => {
    for (const huge of [png(10_000, 6_000), jpeg([], 10_000, 6_000), gif([], 10_000, 6_000), webp([], 10_000, 6_000)]) {
      expect(readContent(huge)).toBe('too-many-pixels')
    }
  })
})

describe('a picture', () => {
  const secret = 'GPS 31.2304 N 121.4737 E'
  const cleaned = (bytes: Buffer) => {
    const content = readContent(bytes)
    if (typeof content !== 'object') throw new Error('refused')
    return content.bytes
  }

  test('keeps no place, time or note of the shot, whatever its type', () => {
    const exif = Buffer.from(`Exif\0\0${secret}`)
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), data])
      const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
      head.writeUInt32BE(data.length)
      tail.writeUInt32BE(crc32(body))
      return Buffer.concat([head, body, tail])
    }
    const text = png()
    const withText = Buffer.concat([text.subarray(0, 33), chunk('tEXt', exif), chunk('eXIf', exif), text.subarray(33)])
    const pictures = [
      jpeg([segment(0xe1, exif), segment(0xfe, Buffer.from(secret)), segment(0xed, exif)]),
      withText,
      gif([Buffer.concat([Buffer.from([0x21, 0xfe, secret.length]), Buffer.from(secret), Buffer.from([0])])]),
      webp([
        ['EXIF', exif],
        ['XMP ', Buffer.from(secret)],
      ]),
    ]
    for (const picture of pictures) {
      expect(picture.includes(secret)).toBe(true)
      expect(cleaned(picture).includes(secret)).toBe(false)
      expect(cleaned(picture).includes('Exif')).toBe(false)
    }
  })

  test('no longer says that it has notes', () => {
    const notes = webp([['EXIF', Buffer.from('Exif')]])
    expect([notes, cleaned(notes)].map(bytes => bytes.readUInt8(20))).toEqual([0x0c, 0])
  })

  test('keeps everything it needs to be seen', () => {
    const profile = segment(0xe2, Buffer.from('ICC_PROFILE\0profile'))
    const colours = segment(0xee, Buffer.from('Adobe\0d'))
    const plain = jpeg([profile, colours])
    expect(cleaned(plain)).toEqual(plain)
    expect(cleaned(jpeg([segment(0xe1, Buffer.from('Exif\0\0x')), profile, colours]))).toEqual(plain)
    for (const picture of [png(), gif(), webp()]) expect(cleaned(picture)).toEqual(picture)
    const looping = Buffer.concat([
      Buffer.from([0x21, 0xff, 11]),
      Buffer.from('NETSCAPE2.0'),
      Buffer.from([3, 1, 0, 0, 0]),
    ])
    expect(cleaned(gif([looping]))).toEqual(gif([looping]))
  })

  test('of a phone that adds a second one behind the first loses the second', () => {
    expect(cleaned(Buffer.concat([jpeg(), html]))).toEqual(jpeg())
  })
})

describe('the name of a file', () => {
  test.each([
    ['../../etc/passwd', 'passwd.png'],
    ['C:\\Users\\me\\photo.PNG', 'photo.png'],
    ['作业 第一课.jpeg', '作业 第一课.png'],
    ['evil"\r\nSet-Cookie: a=b;.png', 'evilSet-Cookie a=b.png'],
    ['\u202egnp.exe', 'gnp.png'],
    ['.htaccess', 'file.png'],
    ['', 'file.png'],
    ['\0', 'file.png'],
    ['\ud800a.png', '\ufffda.png'],
    [`${'长'.repeat(500)}.png`, `${'长'.repeat(120)}.png`],
  ])('%j becomes %j', (given, wanted) => {
    expect(safeName(given, 'image/png')).toBe(wanted)
  })
})
