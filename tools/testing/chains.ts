/** Texts of chains made from the grammar, and texts that are nearly such. The same seed makes the same text. */

export type Chance = (below: number) => number

/** A number from 0 up to what is asked, by a generator anybody can repeat (mulberry32). */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** The nodes generated chains speak of. */
export const NODES = {
  common: ['a', 'b', 'c', 'sendCoupon', '打标签'],
  boolean: ['isNew', 'isLarge', 'hasDebt'],
  switch: ['byCity', 'byScore'],
  for: ['times'],
  iterator: ['lines'],
} as const
export const CHAINS = ['welcome', 'riskOfRefund']

const pick = <T>(chance: Chance, from: readonly T[]): T => from[chance(from.length)] as T
const many = (chance: Chance, least: number, most: number, make: () => string): string =>
  Array.from({ length: least + chance(most - least + 1) }, make).join(' , ')

/** A valid chain: tokens apart by a space each, so that anything may be put between them. */
export function chainText(chance: Chance): string {
  const variables = chance(4) === 0 ? ['x', 'y1'].slice(0, 1 + chance(2)) : []
  const assigned = variables.map(name => `${name} = ${form(chance, 1, [])} ;`)
  return [...assigned, `${form(chance, chance(10) ? 2 : 4, variables)}${chance(2) ? ' ;' : ''}`].join(' ')
}

function common(chance: Chance, depth: number, variables: readonly string[]): string {
  if (depth > 0 && chance(3) > 0) return form(chance, depth - 1, variables)
  const id = pick(chance, [...NODES.common, ...CHAINS, ...variables])
  const written = chance(8) === 0 && !variables.includes(id) ? `node ( "${id}" )` : id
  return written + (chance(4) === 0 ? modifier(chance) : '')
}

function condition(chance: Chance, depth: number): string {
  const kind = depth > 0 ? chance(6) : 0
  const next = () => condition(chance, depth - 1)
  if (kind === 1) return `AND ( ${many(chance, 2, 3, next)} )`
  if (kind === 2) return `OR ( ${many(chance, 2, 3, next)} )`
  if (kind === 3) return `NOT ( ${next()} )`
  return pick(chance, NODES.boolean)
}

function modifier(chance: Chance): string {
  return pick(chance, [
    ' . tag ( "vip" )',
    ` . data ( '{"days": 3, "name": "a, b"}' )`,
    ' . bind ( "k" , 12 )',
    ' . bind ( "k" , "v" , true ) . bind ( "m" , false )',
    ' . retry ( 3 )',
    ' . retry ( 2 , "TimeoutException" )',
    ' . maxWaitSeconds ( 5 )',
    ' . maxWaitMilliseconds ( 250 )',
  ])
}

const LOOPS = [
  (chance: Chance) => `FOR ( ${chance(2) ? chance(9) : 'times'} )`,
  (chance: Chance) => `WHILE ( ${chance(3) ? condition(chance, 1) : 'true'} )`,
  () => 'ITERATOR ( lines )',
]

function form(chance: Chance, depth: number, variables: readonly string[]): string {
  const next = () => common(chance, depth, variables)
  const maybe = (text: () => string) => (chance(2) ? text() : '')
  const forms = [
    () => `${chance(9) ? 'THEN' : 'SER'} ( ${thenItems(chance, next)} )`,
    () => `${chance(9) ? 'WHEN' : 'PAR'} ( ${many(chance, 1, 4, next)} )${maybe(() => parallel(chance))}`,
    () =>
      `SWITCH ( ${pick(chance, NODES.switch)} ) . ${chance(4) ? 'TO' : 'to'} ( ${many(chance, 1, 3, next)} )${maybe(() => ` . DEFAULT ( ${next()} )`)}`,
    () => `IF ( ${condition(chance, 2)} , ${next()} , ${next()} )`,
    () =>
      `IF ( ${condition(chance, 2)} , ${next()} )${maybe(() => ` . ELIF ( ${condition(chance, 1)} , ${next()} )`)}${maybe(() => ` . ELSE ( ${next()} )`)}`,
    () => `${pick(chance, LOOPS)(chance)} . DO ( ${next()} )${maybe(() => ` . BREAK ( ${condition(chance, 1)} )`)}`,
    () => `CATCH ( ${next()} )${maybe(() => ` . DO ( ${next()} )`)}`,
  ]
  return pick(chance, forms)() + (chance(4) === 0 ? modifier(chance) : '') + (chance(9) ? '' : ' . id ( "part" )')
}

function thenItems(chance: Chance, next: () => string): string {
  const items = many(chance, 1, 4, next)
  const before = chance(6) === 0 ? 'PRE ( a ) , ' : ''
  return before + items + (chance(6) === 0 ? ' , FINALLY ( b , c )' : '')
}

const parallel = (chance: Chance): string =>
  pick(chance, [
    ' . any ( true )',
    ' . must ( a , "b" )',
    ' . percentage ( 0.5 )',
    ' . ignoreError ( true )',
    ' . threadPool ( "own" )',
  ])

/** The same chain with other spaces, lines and remarks. Texts keep what is in their quotes. */
export function spread(chance: Chance, text: string): string {
  const parts = text.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  return parts
    .map(part => part + (chance(12) === 0 ? pick(chance, REMARKS)(chance(100)) : pick(chance, ['', ' ', '\n', '  '])))
    .map((part, at) => (needsSpace(part, parts[at + 1]) ? `${part} ` : part))
    .join('')
}
const needsSpace = (part: string, next: string | undefined): boolean =>
  next !== undefined && /[\p{L}\p{N}_$.]$/u.test(part) && /^[\p{L}\p{N}_$.]/u.test(next)
const REMARKS = [
  (n: number) => ` // why ${n}\n`,
  (n: number) => ` /* ${n} */ `,
  (n: number) => `\n// own line ${n}\n`,
  (n: number) => `\n/* two\n lines ${n} */\n`,
  (n: number) => ` /* a ${n} */ // b\n`,
]

/** A text somebody got wrong: letters dropped, doubled, swapped, brackets lost, strangers put in. */
export function mutated(chance: Chance, text: string): string {
  let changed = text
  for (let times = 1 + chance(4); times > 0; times -= 1) {
    const at = chance(changed.length + 1)
    const end = Math.min(changed.length, at + 1 + chance(chance(5) === 0 ? 40 : 2))
    const stranger = pick(chance, STRANGERS)
    changed = pick(chance, [
      () => changed.slice(0, at) + changed.slice(end),
      () => changed.slice(0, end) + changed.slice(at),
      () => changed.slice(0, at) + stranger + changed.slice(at),
      () => changed.slice(0, at) + stranger + changed.slice(end),
    ])()
  }
  return changed
}
const STRANGERS = [
  ...[
    '(',
    ')',
    '((',
    '))',
    ',',
    ',,',
    '.',
    '..',
    ';',
    '=',
    '"',
    "'",
    '/*',
    '*/',
    '//',
    '{{',
    '}}',
    '{{0}}',
    '\\',
    '\n',
  ],
  ...[
    '（',
    '，',
    '“',
    '😀',
    '\u0000',
    '\ud800',
    '\u2028',
    'THEN',
    'then(',
    '.DO(',
    '-1',
    '0.5',
    '1e9',
    'true',
    'node(',
  ],
  ...['__proto__', 'constructor', '.toString()', '.__proto__(', 'hasOwnProperty('],
]
