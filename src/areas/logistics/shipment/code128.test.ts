import { describe, expect, test } from 'vitest'
import { code128 } from './code128.model.ts'

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index))
const sum = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0)
/** Start, characters and check fill eleven modules each, the stop thirteen. */
const symbols = (text: string) => code128(text).slice(6, -13)

describe('the bars of a number', () => {
  test('every character fills eleven modules, and no two look alike', () => {
    const drawn = PRINTABLE.map(character => symbols(character).join(''))
    expect(new Set(drawn).size).toBe(95)
    for (const character of PRINTABLE) expect(sum(symbols(character))).toBe(11)
  })

  test('a shipment number fills start, fourteen characters, check and stop', () => {
    expect(sum(code128('S2026111500001'))).toBe(11 * 16 + 13)
  })

  test('the check is the weighted sum, as the standard counts it', () => {
    // P J J 1 2 3 C: 104 + 48·1 + 42·2 + 42·3 + 17·4 + 18·5 + 19·6 + 35·7 = 879, of which 55 is left over by 103.
    const check = code128('PJJ123C').slice(-13, -7).join('')
    const fiftyFive = symbols(String.fromCodePoint(32 + 55)).join('')
    expect(check).toBe(fiftyFive)
  })
})
