import { useSyncExternalStore } from 'react'
import { create } from 'zustand'

/** Whether the server could be reached when it was last asked. */
const useReach = create<{ isReached: boolean }>(() => ({ isReached: true }))

export const noteReach = (isReached: boolean): void => {
  if (useReach.getState().isReached !== isReached) useReach.setState({ isReached })
}

/** Whether the page says above everything that the connection is lost: what lies over the page leaves room for it; and how it is tried anew. */
export const useToldOffline = create<{ isTold: boolean; reconnect(): void }>(() => ({
  isTold: false,
  reconnect() {},
}))

/** Whether the server can be reached, by what the browser knows and by how the last call went. */
export function useReachable(): boolean {
  const isConnected = useConnected()
  return useReach(({ isReached }) => isReached) && isConnected
}

/** Whether there is a network, by what the browser knows. */
export const useConnected = (): boolean => useSyncExternalStore(followNetwork, () => navigator.onLine)

function followNetwork(changed: () => void): () => void {
  for (const sign of ['online', 'offline']) window.addEventListener(sign, changed)
  return () => {
    for (const sign of ['online', 'offline']) window.removeEventListener(sign, changed)
  }
}
