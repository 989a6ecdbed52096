import { createContext } from 'react'

/** Tells the form around a field that something of it is still on its way; gives back what to call once it has ended. */
export const UnderWayContext = createContext<() => () => void>(() => () => {})
