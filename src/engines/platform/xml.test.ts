import { describe, expect, test } from 'vitest'
import { readXml } from './xml.server.ts'

describe('a message in XML', () => {
  test('is read by the names in it, raw text as it stands, and a name that comes twice as a list', () => {
    const text = `<xml>
      <UserID><![CDATA[zhang<b>&amp;]]></UserID><CreateTime>1700000000</CreateTime>
      <List><Item>a&lt;b</Item><Item/></List><State></State>
    </xml>`
    expect(readXml(text)).toEqual({
      UserID: 'zhang<b>&amp;',
      CreateTime: '1700000000',
      List: { Item: ['a<b', ''] },
      State: '',
    })
  })

  test('of names every object has is read like any other', () => {
    const read = readXml('<xml><constructor>1</constructor></xml>')
    expect(Object.entries(read)).toEqual([['constructor', '1']])
  })

  test.each([
    ['is not whole', '<xml><a>1</a>'],
    ['closes what it did not open', '<xml><a>1</b></xml>'],
    ['closes more than it opened', '<xml></xml></xml>'],
    ['has two roots', '<xml/><xml/>'],
    ['has text beside its root', '<xml/>more'],
    ['mixes text and elements', '<xml>text<a/></xml>'],
    ['is empty', ''],
    ['declares a type', '<!DOCTYPE xml [<!ENTITY a "b">]><xml>1</xml>'],
    ['names an entity of its own', '<xml>&a;</xml>'],
    ['names an entity every object has', '<xml>&constructor</xml>'],
    ['names a sign by its number', '<xml>&#65;</xml>'],
    ['begins with an instruction', '<?xml version="1.0"?><xml/>'],
    ['has a comment', '<xml><!-- a --></xml>'],
    ['has attributes', '<xml a="b"/>'],
    ['has names of the engine', '<xml><__proto__>1</__proto__></xml>'],
    ['leaves raw text open', '<xml><![CDATA[a]]</xml>'],
    ['is too deep', `${'<a>'.repeat(6)}1${'</a>'.repeat(6)}`],
    ['has too many elements', `<xml>${'<a/>'.repeat(500)}</xml>`],
    ['is too long', `<xml>${'a'.repeat(65_536)}</xml>`],
  ])('is refused where it %s', (_why, text) => {
    expect(() => readXml(text)).toThrow()
  })

  test('is read as deep, with as many elements, as its bounds say', () => {
    expect(readXml(`${'<a>'.repeat(5)}1${'</a>'.repeat(5)}`)).toEqual({ a: { a: { a: { a: '1' } } } })
    expect(readXml(`<xml>${'<a/>'.repeat(499)}</xml>`)).toMatchObject({ a: expect.any(Array) })
  })
})
