/** What a place in a chain takes. `common` is anything that is done; the others decide how it goes on. */
export type Slot = 'common' | 'boolean' | 'switch' | 'for' | 'iterator' | Literal
type Literal = 'text' | 'whole' | 'fraction' | 'truth' | 'value' | 'id'

/** What may be in the brackets: these in order, or at least `min` of the last. */
export type Takes = { readonly slots: readonly Slot[]; readonly min: number; readonly max: number }

const exactly = (...slots: Slot[]): Takes => ({ slots, min: slots.length, max: slots.length })
const atLeast = (min: number, ...slots: Slot[]): Takes => ({ slots, min, max: Number.POSITIVE_INFINITY })
const between = (min: number, ...slots: Slot[]): Takes => ({ slots, min, max: slots.length })

export type Method = {
  readonly takes: Takes
  /** May be called more than once on the same. */
  readonly repeats?: true
}
export type Form = {
  /** The word it is the same as. */
  readonly name: string
  /** The slot it fits into. */
  readonly fits: 'common' | 'boolean'
  readonly takes: Takes
  readonly methods: Readonly<Record<string, Method>>
  /** What must be called on it. */
  readonly needs?: string
}

const ANYWHERE: Readonly<Record<string, Method>> = {
  tag: { takes: exactly('text') },
  data: { takes: exactly('text') },
  bind: { takes: between(2, 'text', 'value', 'truth'), repeats: true },
  retry: { takes: atLeast(1, 'whole', 'text') },
  maxWaitSeconds: { takes: exactly('whole') },
  maxWaitMilliseconds: { takes: exactly('whole') },
}
/** What may be called on a node or a chain that is named. */
export const NAMED: Readonly<Record<string, Method>> = ANYWHERE

const CONDITION: Readonly<Record<string, Method>> = { ...ANYWHERE, id: { takes: exactly('text') } }
const { maxWaitSeconds: _, maxWaitMilliseconds: __, ...WITHOUT_WAIT } = CONDITION
const POOL: Readonly<Record<string, Method>> = { threadPool: { takes: exactly('text') } }
const LOOP: Readonly<Record<string, Method>> = {
  ...CONDITION,
  ...POOL,
  DO: { takes: exactly('common') },
  BREAK: { takes: exactly('boolean') },
  parallel: { takes: exactly('truth') },
}
const TO: Method = { takes: atLeast(1, 'common') }

const form = (
  name: string,
  takes: Takes,
  more: { fits?: 'boolean'; methods?: Readonly<Record<string, Method>>; needs?: string } = {},
): Form => ({ name, fits: 'common', methods: CONDITION, takes, ...more })

const then = form('THEN', atLeast(1, 'common'))
const when = form('WHEN', atLeast(1, 'common'), {
  methods: {
    ...CONDITION,
    ...POOL,
    any: { takes: exactly('truth') },
    must: { takes: atLeast(1, 'id') },
    percentage: { takes: exactly('fraction') },
    ignoreError: { takes: exactly('truth') },
  },
})
const node = form('node', exactly('text'), { methods: ANYWHERE })

/** The words of the language (LiteFlow EL), with what each takes. */
export const FORMS: Readonly<Record<string, Form>> = {
  THEN: then,
  SER: then,
  WHEN: when,
  PAR: when,
  SWITCH: form('SWITCH', exactly('switch'), {
    methods: { ...CONDITION, TO, to: TO, DEFAULT: { takes: exactly('common') } },
    needs: 'TO',
  }),
  IF: form('IF', between(2, 'boolean', 'common', 'common'), {
    methods: {
      ...CONDITION,
      ELIF: { takes: exactly('boolean', 'common'), repeats: true },
      ELSE: { takes: exactly('common') },
    },
  }),
  FOR: form('FOR', exactly('for'), { methods: LOOP, needs: 'DO' }),
  WHILE: form('WHILE', exactly('boolean'), { methods: LOOP, needs: 'DO' }),
  ITERATOR: form('ITERATOR', exactly('iterator'), { methods: LOOP, needs: 'DO' }),
  CATCH: form('CATCH', exactly('common'), { methods: { ...CONDITION, DO: { takes: exactly('common') } } }),
  AND: form('AND', atLeast(2, 'boolean'), { fits: 'boolean' }),
  OR: form('OR', atLeast(2, 'boolean'), { fits: 'boolean' }),
  NOT: form('NOT', exactly('boolean'), { fits: 'boolean' }),
  PRE: form('PRE', atLeast(1, 'common')),
  FINALLY: form('FINALLY', atLeast(1, 'common'), { methods: WITHOUT_WAIT }),
  node,
  NODE: node,
}

export const formOf = (word: string): Form | undefined => (Object.hasOwn(FORMS, word) ? FORMS[word] : undefined)
export const methodOf = (methods: Readonly<Record<string, Method>>, word: string): Method | undefined =>
  Object.hasOwn(methods, word) ? methods[word] : undefined
/** Two spellings of one word are one word. */
export const sameMethod = (word: string): string => (word === 'to' ? 'TO' : word)

/** The slot at a place between the brackets; the last one repeats. */
export const slotAt = ({ slots }: Takes, place: number): Slot => slots[Math.min(place, slots.length - 1)] as Slot

/** What a node does: `common` acts, the others answer. Scripts are of the type they answer as. */
export const NODE_TYPES = ['common', 'boolean', 'switch', 'for', 'iterator'] as const
export type NodeType = (typeof NODE_TYPES)[number]
