import { createContext, useContext } from 'react'

/** What a page knows of the tab it stands in. Its address is frozen while another tab is shown. */
export type TabHandle = {
  readonly path: string
  readonly search: URLSearchParams
  /** Changes parameters of this tab's address; undefined removes one. `push` makes a step to go back from. */
  change(parameters: Readonly<Record<string, string | readonly string[] | undefined>>, how?: 'push' | 'replace'): void
  readonly shown: boolean
  /** A tab with unsaved input is asked for before it closes, and never dropped to save memory. */
  setUnsaved(unsaved: boolean): void
  /** Opens another screen in a tab of its own. */
  open(path: string): void
  /** Shows another record in this tab, which stays where it stands. */
  turn(path: string): void
  /** What the tab is called, where the name of its screen says too little. */
  setTitle(title: string): void
}

export const TabContext = createContext<TabHandle | null>(null)

export function useTab(): TabHandle {
  const tab = useContext(TabContext)
  if (!tab) throw new Error('a page stands in a tab')
  return tab
}
