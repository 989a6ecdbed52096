import { formOf } from './form.model.ts'
import { type Chained, type Expression, NO_ARGUMENTS, NO_REMARKS } from './tree.model.ts'

/** What is put into a tree has no place in a text before it is written out. */
const NOWHERE = { start: 0, end: 0, nameEnd: 0 }
const BARE = { ...NOWHERE, args: NO_ARGUMENTS, chained: [], comments: NO_REMARKS }

/** An id as it may be written in a chain: bare where it looks like a name. */
export const isBare = (id: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(id) && !formOf(id)

export const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text)

/** A node or chain, by its id. */
export const named = (id: string): Expression =>
  isBare(id) ? { ...BARE, kind: 'name', name: id } : called('node', literal(id))

export const called = (word: string, ...items: readonly Expression[]): Expression => ({
  ...BARE,
  kind: 'call',
  name: word,
  args: { items, tail: [] },
})

export const chainedOn = (word: string, ...items: readonly Expression[]): Chained => ({
  ...NOWHERE,
  nameStart: 0,
  name: word,
  before: [],
  args: { items, tail: [] },
})

export const literal = (value: string | number | boolean): Expression => {
  if (typeof value === 'string') return { ...BARE, kind: 'text', name: quoted(value) }
  return { ...BARE, kind: typeof value === 'number' ? 'number' : 'name', name: String(value) }
}

/** Another value in the place of one, with what is remarked there. */
export const instead = (old: Expression | undefined, value: string | number | boolean): Expression => ({
  ...literal(value),
  comments: old?.comments ?? NO_REMARKS,
})

/** JSON is full of double quotes: it is read more easily between single ones. */
function quoted(text: string): string {
  const quote = text.includes('"') && !text.includes("'") ? "'" : '"'
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  const escaped = text.replace(/[\\"'\n\r\t]/g, mark =>
    (mark === '"' || mark === "'") && mark !== quote ? mark : (escapes[mark] ?? `\\${mark}`),
  )
  return quote + escaped + quote
}
