import { createContext, type ReactNode, useContext } from 'react'
import { mayDo, useUser } from './user.ts'

/** The permission key of the page an element stands on; none on pages that everybody has. */
export const PageContext = createContext<string | null>(null)

const useHolds = (actions: readonly string[]): boolean => {
  const page = useContext(PageContext)
  return useUser(user => actions.some(action => mayDo(user, page, action)))
}

/** Spec §6, action rule: hides what it holds when the action is not among the person's for this page. */
export function Action({ of, children }: { of: string; children: ReactNode }) {
  return useHolds([of]) ? children : null
}

type Listed = { any: readonly string[]; children: ReactNode }

/** Spec §6, permission rule: shown to a super administrator, and to holders of one of the actions on this page. */
export function Permission({ any, children }: Listed) {
  return useHolds(requireList('Permission', any)) ? children : null
}

/** Spec §6, missing-permission rule: shown exactly where the permission rule hides. */
export function PermissionMissing({ any, children }: Listed) {
  return useHolds(requireList('PermissionMissing', any)) ? null : children
}

/** Spec §5: the rule without a list of actions is a mistake in the page, not a refusal. */
function requireList(rule: string, actions: readonly string[] | undefined): readonly string[] {
  if (!actions || actions.length === 0) throw new Error(`<${rule}> needs a list of actions`)
  return actions
}
