import { create } from 'zustand'

/** Whether the server could be reached when it was last asked. */
export const useReach = create<{ isReached: boolean }>(() => ({ isReached: true }))

export const noteReach = (isReached: boolean): void => {
  if (useReach.getState().isReached !== isReached) useReach.setState({ isReached })
}
