import { isUtf8 } from 'node:buffer'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** How deep and how many: no form of ours comes near, and past them a small body would cost a large part of a second. */
export const MAX_DEPTH = 32
export const MAX_VALUES = 10_000
/** Of a name as it is written: ours have fewer than forty signs. */
export const MAX_NAME = 100

export class UnsafeJson extends Error {
  override name = 'UnsafeJson'
  /** What is wrong, where it is more than that this is no JSON. */
  readonly refusal: Refusal | undefined
  constructor(why: string, refusal?: Refusal) {
    super(why)
    this.refusal = refusal
  }
}

/**
 * What JSON a caller may send: no name twice in an object (two readers would see two bodies), no `__proto__`, no text a
 * database cannot hold. Looked for in one pass before anything is built, so that the worst body costs what its bytes cost.
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new UnsafeJson('not UTF-8')
  const text = bytes.toString('utf8')
  scan(text)
  return JSON.parse(text)
}

const [QUOTE, COMMA, BACKSLASH, LETTER_U] = [0x22, 0x2c, 0x5c, 0x75]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Right for every text that is JSON; whether it is JSON at all, the parser tells afterwards. */
function scan(text: string): void {
  /** Names seen in each object that is open; nothing stands for an array. */
  const open: (Set<string> | undefined)[] = []
  let values = 1
  let expectsName = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) {
      const end = endOfText(text, at + 1)
      if (expectsName) requireNewName(text.slice(at + 1, end), open.at(-1))
      expectsName = false
      at = end
    } else if (sign === COMMA) {
      values += 1
      expectsName = open.at(-1) !== undefined
    } else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) {
      values += 1
      expectsName = sign === OPEN_OBJECT
      open.push(expectsName ? new Set() : undefined)
      if (open.length > MAX_DEPTH) throw new UnsafeJson('too deep', refuse('kit:body-too-deep', { max: MAX_DEPTH }))
    } else if (sign === CLOSE_OBJECT || sign === CLOSE_ARRAY) {
      open.pop()
      expectsName = false
    }
    if (values > MAX_VALUES)
      throw new UnsafeJson('too many values', refuse('kit:body-too-many', { max: MAX_VALUES.toLocaleString('en-US') }))
  }
}

function requireNewName(written: string, seen: Set<string> | undefined): void {
  if (written.length > MAX_NAME) throw new UnsafeJson('name too long')
  const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
  if (name === '__proto__') throw new UnsafeJson('forbidden name')
  if (seen?.has(name)) throw new UnsafeJson('a name twice', refuse('kit:body-name-twice', { name }))
  seen?.add(name)
}

/** Where the closing quote stands. What is escaped must be as storable as what is not, which is UTF-8 and so well formed. */
function endOfText(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) return at
    if (sign !== BACKSLASH) continue
    if (text.charCodeAt(at + 1) === LETTER_U) at = endOfEscape(text, at)
    else at += 1
  }
  throw new UnsafeJson('text without an end')
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The last sign of `\uXXXX` that begins here, or of the pair it begins. */
function endOfEscape(text: string, at: number): number {
  const unit = unitAt(text, at)
  if (unit === 0 || isLow(unit)) throw new UnsafeJson('text no database holds', refuse('kit:body-no-text'))
  if (!isHigh(unit)) return at + 5
  if (!isLow(unitAt(text, at + 6))) throw new UnsafeJson('half a sign', refuse('kit:body-no-text'))
  return at + 11
}

const DIGITS = Float64Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code)
  return /[0-9a-f]/i.test(sign) ? Number.parseInt(sign, 16) : Number.NaN
})
const digitAt = (text: string, at: number): number => DIGITS[text.charCodeAt(at)] ?? Number.NaN

/** The code unit `\uXXXX` stands for; not a number where there is no such escape. */
function unitAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH || text.charCodeAt(at + 1) !== LETTER_U) return Number.NaN
  const [high, low] = [
    digitAt(text, at + 2) * 16 + digitAt(text, at + 3),
    digitAt(text, at + 4) * 16 + digitAt(text, at + 5),
  ]
  return high * 256 + low
}
