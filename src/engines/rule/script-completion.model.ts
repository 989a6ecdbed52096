import type { Completion, Offer } from './completion.model.ts'
import { DATA_CALLS, type GivenWord, META_SLOTS, SCRIPT_GIVEN } from './script.model.ts'

/** What depends on the console: the facts of its events and what people call them, and what each word we give means. */
type Known = {
  readonly facts: readonly { readonly name: string; readonly title: string }[]
  tell(word: GivenWord): string
}

/** What stands around a script besides what it is given, and what of it rules are made of. */
const LANGUAGE: ReadonlyMap<string, readonly string[]> = new Map([
  ['Math', ['abs', 'ceil', 'floor', 'max', 'min', 'round', 'sign', 'trunc']],
  ['JSON', ['parse', 'stringify']],
  ['Number', ['isFinite', 'isInteger', 'isNaN', 'parseFloat', 'parseInt']],
  ['Object', ['entries', 'fromEntries', 'hasOwn', 'keys', 'values']],
  ['Array', ['from', 'isArray', 'of']],
  ['Date', ['UTC', 'now', 'parse']],
])

const GIVEN: ReadonlyMap<string, readonly GivenWord[]> = new Map<string, readonly GivenWord[]>([
  ['_meta', META_SLOTS],
  ['defaultContext', DATA_CALLS],
])
/** What may be called on each word that stands around a script; what `facts` holds depends on the record. */
export const SCRIPT_CALLS: ReadonlyMap<string, readonly string[]> = new Map([...GIVEN, ...LANGUAGE])

const KEY = /(?<![\w$.])defaultContext\s*\.\s*(?:get|has|set)Data\(\s*['"]([\w$]*)$/
/** The word that is begun, and on what it is called; a digit, or a letter of other writing, begins no word. */
const WORD = /(?:(?<![\w$.])([A-Za-z_$][\w$]*)\s*\??\.\s*)?(?<![\w$\p{L}\p{N}])([A-Za-z_$][\w$]*)?$/u
/** Whoever writes this names something new. */
const NAMING = /(?<![\w$.])(?:const|let|var|function)\s+$/

/** What a script may go on with where the caret is: what it is given, and what it may call. Nothing within a text or a remark. */
export function scriptCompletionAt(source: string, caret: number, known: Known): Completion | undefined {
  const before = source.slice(0, caret)
  const within = withinAt(before)
  if (within === 'remark') return undefined
  if (within === 'text') {
    const key = KEY.exec(before)?.[1]
    return key === undefined ? undefined : beginning(key, caret, factOffers(known))
  }
  const found = WORD.exec(before)
  if (!found) return undefined
  const [, holder, word = ''] = found
  if (holder !== undefined) return beginning(word, caret, offersOn(holder, known))
  const ahead = before.slice(0, caret - word.length)
  return ahead.trimEnd().endsWith('.') || NAMING.test(ahead) ? undefined : beginning(word, caret, offersAround(known))
}

function beginning(word: string, caret: number, offers: readonly Offer[]): Completion | undefined {
  const begun = word.toLowerCase()
  const options = offers.filter(({ text }) => text !== word && text.toLowerCase().startsWith(begun))
  return options.length > 0 ? { from: caret - word.length, to: caret, options } : undefined
}

const offersAround = ({ tell }: Known): Offer[] => [
  ...givenOffers(SCRIPT_GIVEN, tell),
  ...wordOffers([...LANGUAGE.keys(), 'return']),
]

function offersOn(holder: string, known: Known): Offer[] {
  if (holder === 'facts') return factOffers(known)
  const given = GIVEN.get(holder)
  return given ? givenOffers(given, known.tell) : wordOffers(LANGUAGE.get(holder) ?? [])
}

const factOffers = ({ facts }: Known): Offer[] =>
  facts.map(({ name, title }) => ({ text: name, kind: 'value', about: title }))

const givenOffers = (words: readonly GivenWord[], tell: Known['tell']): Offer[] =>
  words.map(text => ({ text, kind: 'word', about: tell(text) }))

const wordOffers = (words: readonly string[]): Offer[] => words.map(text => ({ text, kind: 'word', about: '' }))

/** Whole texts and remarks are passed over; of one that has no end yet the rest is its own. */
const PASSED = /\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

function withinAt(before: string): 'code' | 'text' | 'remark' {
  const open = /\/\/|\/\*|['"`]/.exec(before.replaceAll(PASSED, ' '))
  if (!open) return 'code'
  return open[0].startsWith('/') ? 'remark' : 'text'
}
