import { useCallback } from 'react'
import { maySeeScreen } from '../menu.ts'
import { recordPath, screenOfRecords } from '../screens.ts'
import { mayDo, useUser } from '../user.ts'

/** The page of a record another one names; none for whoever may not open it. */
export function useRecordLink(): (reference: string, id: string) => string | undefined {
  const user = useUser()
  return useCallback(
    (reference, id) => {
      const screen = screenOfRecords(reference)
      const isOpen = screen && maySeeScreen(user, screen) && mayDo(user, screen.key, 'detail')
      return isOpen ? recordPath(screen.route, id) : undefined
    },
    [user],
  )
}
