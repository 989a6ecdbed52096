import { createContext } from 'react'

/**
 * Where a record another one names is to be found, for whoever may open it: a detail says so to all it shows. In a list
 * a row is pressed as a whole, and nothing in it leads elsewhere.
 */
export const RecordLinkContext = createContext<(reference: string, id: string) => string | undefined>(() => undefined)
