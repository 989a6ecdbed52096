import { createContext, useContext, useEffect } from 'react'
import type { Values } from './values.ts'

/** What the server found wrong in a form. */
export type Wrong = {
  /** In words, by path: "items.2.value". */
  readonly errors: Readonly<Record<string, string>>
  /** What stood in the form then: who has changed it since has heard of it. */
  readonly values: Values
}

/** What was found, and the fields whose editors of lines say themselves what is wrong at their cells. */
export type Found = { readonly wrong: Wrong; readonly editors: Set<string> }
export const NOTHING_FOUND: Found = { wrong: { errors: {}, values: {} }, editors: new Set() }

/** The field of the form an input stands for. */
export const FieldContext = createContext<Found & { readonly field: string }>({ field: '', ...NOTHING_FOUND })

/** What was found wrong in the lines of this field, by "line.part", and the lines as they were. Who asks says it at the cells. */
export function useLineErrors(): { readonly errors: [path: string, words: string][]; readonly lines: unknown } {
  const { field, wrong, editors } = useContext(FieldContext)
  useEffect(
    function sayThatCellsTell() {
      editors.add(field)
      return () => void editors.delete(field)
    },
    [field, editors],
  )
  const own = Object.entries(wrong.errors).filter(([path]) => isOfLine(path, field))
  return { errors: own.map(([path, words]) => [path.slice(field.length + 1), words]), lines: wrong.values[field] }
}

/** "items.2.value" and "items.2" are of a line of `items`. */
export const isOfLine = (path: string, field: string): boolean =>
  path.startsWith(`${field}.`) && /^\d+(\.|$)/.test(path.slice(field.length + 1))
