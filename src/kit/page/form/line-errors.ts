import { createContext, useContext } from 'react'

/** What the server found wrong inside a field of many lines, as "line.part". */
export const LineErrors = createContext<readonly string[]>([])

/** Marks an input of a line: `<Input {...wrong(`${at}.name`)} />`. The words stand below the field, with the line's number. */
export function useLineErrors(): (path: string) => typeof MARK | object {
  const wrong = useContext(LineErrors)
  return path => (wrong.includes(path) ? MARK : {})
}
const MARK = { status: 'error', 'aria-invalid': true } as const
