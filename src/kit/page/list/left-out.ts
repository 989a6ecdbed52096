import { create } from 'zustand'

/** The columns each list has no room for at the moment, and under which circumstances that was found. */
type LeftOut = {
  readonly around: string
  readonly fields: readonly string[]
  /** Not even the first columns had room: other records are named without what is told beside their name. */
  readonly isTight: boolean
}
export const NONE_LEFT_OUT: LeftOut = { around: '', fields: [], isTight: false }

export const useLeftOut = create<{ lists: Readonly<Record<string, LeftOut>> }>(() => ({ lists: {} }))

export const leaveOut = (list: string, left: LeftOut): void =>
  useLeftOut.setState(({ lists }) => ({ lists: { ...lists, [list]: left } }))
