import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_DEPTH, MAX_NAME, MAX_VALUES, readJson } from './json.ts'

/** A value with every name it was written with, as often as it was: what a parser forgets. */
type Written =
  | { readonly kind: 'plain'; readonly value: string | number | boolean | null }
  | { readonly kind: 'array'; readonly items: readonly Written[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Written])[] }

/** Units, not signs: halves of pairs and zero bytes are what this is about. */
const unit = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0xd83d, 0xde00, 0xd800, 0xdfff, 0x22, 0x5c, 0x09) },
  { weight: 2, arbitrary: fc.integer({ min: 0x80, max: 0xffff }) },
)
const text = fc.oneof(
  fc.constantFrom('', 'a', 'b', '墨', '🖋', '{', '"', '\\u0000', ',', 'constructor'),
  fc.array(unit, { maxLength: 6 }).map(units => String.fromCharCode(...units)),
)
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', '__proto', 'prototype') },
)
const written = fc.letrec<{ value: Written }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({
      kind: fc.constant('plain' as const),
      value: fc.oneof(
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
    }),
    fc.record({ kind: fc.constant('array' as const), items: fc.array(tie('value'), { maxLength: 4 }) }),
    fc.record({
      kind: fc.constant('object' as const),
      entries: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }),
    }),
  ),
})).value

/** JSON's own form, with some signs escaped and some space between, as other programs write it. */
function print(value: Written, choose: () => number): string {
  const space = () => ['', '', ' ', '\n\t'][choose() % 4] as string
  const quoted = (given: string) =>
    `"${given
      .split('')
      .map(sign => {
        const code = sign.charCodeAt(0)
        const mustEscape = code < 0x20 || sign === '"' || sign === '\\' || (code >= 0xd800 && code <= 0xdfff)
        const escaped = `\\u${code.toString(16).padStart(4, '0')}`
        return mustEscape || choose() % 5 === 0
          ? choose() % 2
            ? escaped
            : escaped.replace(/[a-f]/g, x => x.toUpperCase())
          : sign
      })
      .join('')}"`
  const inner =
    value.kind === 'plain'
      ? typeof value.value === 'string'
        ? quoted(value.value)
        : JSON.stringify(value.value)
      : value.kind === 'array'
        ? `[${value.items.map(item => print(item, choose)).join(',')}]`
        : `{${value.entries.map(([key, item]) => `${space()}${quoted(key)}${space()}:${print(item, choose)}`).join(',')}}`
  return `${space()}${inner}${space()}`
}

const isStorable = (given: string) => given.isWellFormed() && !given.includes('\0')

/** The rule told the slow way. */
function isAllowed(value: Written, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  if (value.kind === 'plain') return typeof value.value !== 'string' || isStorable(value.value)
  if (value.kind === 'array') return value.items.every(item => isAllowed(item, depth + 1))
  const names = value.entries.map(([key]) => key)
  return (
    new Set(names).size === names.length &&
    names.every(key => key !== '__proto__' && isStorable(key)) &&
    value.entries.every(([, item]) => isAllowed(item, depth + 1))
  )
}

const read = (given: string | Buffer): { value: unknown } | 'refused' => {
  try {
    return { value: readJson(typeof given === 'string' ? Buffer.from(given) : given) }
  } catch {
    return 'refused'
  }
}
const refuses = (given: string | Buffer) => expect(read(given), String(given).slice(0, 80)).toBe('refused')

describe('a body of JSON', () => {
  test('is taken as it stands, or refused for what it holds, however it is written', () => {
    let [taken, refused] = [0, 0]
    fc.assert(
      fc.property(written, fc.infiniteStream(fc.nat(59)), (value, choices) => {
        const body = print(value, () => choices.next().value as number)
        const answer = read(body)
        if (isAllowed(value)) {
          taken += 1
          expect(answer).toEqual({ value: JSON.parse(body) })
        } else {
          refused += 1
          expect(answer).toBe('refused')
        }
      }),
      { numRuns: 3_000 },
    )
    // Both halves of the statement were asked.
    expect(Math.min(taken, refused)).toBeGreaterThan(200)
  })

  test('that is broken somewhere is never taken for something else', () => {
    fc.assert(
      fc.property(
        written,
        fc.infiniteStream(fc.nat(59)),
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '\\u', '\ud800'),
        (value, choices, place, wedge) => {
          const body = print(value, () => choices.next().value as number)
          const at = place % (body.length + 1)
          const broken = body.slice(0, at) + wedge + body.slice(at + (place % 2))
          const answer = read(broken)
          if (answer !== 'refused') expect(answer.value).toEqual(JSON.parse(Buffer.from(broken).toString('utf8')))
        },
      ),
      { numRuns: 3_000 },
    )
  })

  test('is refused with a name twice, also one that is written with an escape', () => {
    refuses('{"role":"sales","role":"admin"}')
    refuses('{"role":"sales","r\\u006fle":"admin"}')
    refuses('[{"a":{"b":1,"c":[],"b":2}}]')
    expect(read('{"a":{"a":1},"b":[{"a":1},{"a":1}]}')).not.toBe('refused')
  })

  test('is refused with text no database holds, raw or escaped', () => {
    for (const body of ['"\\u0000"', '"a\\ud800"', '"\\udc00\\ud800"', '"\\ud83dx"', '{"\\u0000":1}', '"\0"'])
      refuses(body)
    refuses(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))
    refuses(Buffer.from([0x22, 0xff, 0x22]))
    expect(read('"\\\\u0000 \\ud83d\\ude00 \\uD83D\\uDE00"')).toEqual({ value: '\\u0000 😀 😀' })
  })

  test('is refused with a name that reaches the prototype of objects', () => {
    refuses('{"__proto__":{}}')
    refuses('{"a":[{"\\u005f_proto__":1}]}')
    expect(read('["__proto__"]')).toEqual({ value: ['__proto__'] })
  })

  test('may be so deep and hold so much, and no more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(read(nested(MAX_DEPTH))).not.toBe('refused')
    refuses(nested(MAX_DEPTH + 1))
    const filled = (count: number) => JSON.stringify(Array(count).fill(0))
    expect(read(filled(MAX_VALUES - 2))).not.toBe('refused')
    refuses(filled(MAX_VALUES + 1))
    const named = (length: number) => JSON.stringify({ ['n'.repeat(length)]: 1 })
    expect(read(named(MAX_NAME))).not.toBe('refused')
    refuses(named(MAX_NAME + 1))
  })

  test('of a megabyte never holds the loop up, whatever it holds', () => {
    const many = (count: number, each: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => each(at)).join(',')
    const fill = 'x'.repeat(90)
    const bodies = {
      zeros: `[${many(524_000, () => '0')}]`,
      arrays: `[${many(349_000, () => '[]')}]`,
      'as many values as may be': `[${many(9_990, at => `"${at}${fill}"`)}]`,
      'as many names as may be': `{${many(9_990, at => `"${at}${fill}":1`)}}`,
      'as many objects as may be': `[${many(3_300, at => `{"${fill}${at}":"${fill}"}`)}]`,
      'one long text': `"${'x'.repeat(1_048_000)}"`,
      'one long text of escapes': `"${'\\u4e00'.repeat(174_000)}"`,
      'a name of escapes': `{"${'\\u4e00'.repeat(174_000)}":1}`,
      deep: '['.repeat(1_048_000),
    }
    for (const [what, body] of Object.entries(bodies)) {
      const bytes = Buffer.from(body)
      expect(bytes.length, what).toBeLessThanOrEqual(1_048_576)
      // Time of the core, and the best of several: the machine may be at something else.
      const times = Array.from({ length: 9 }, () => {
        const begun = process.threadCpuUsage()
        read(bytes)
        const { user, system } = process.threadCpuUsage(begun)
        return (user + system) / 1_000
      })
      // 15 ms on a quiet machine, where the same bytes took over a second before they were looked through first.
      expect(Math.min(...times), what).toBeLessThan(50)
    }
  })
})
