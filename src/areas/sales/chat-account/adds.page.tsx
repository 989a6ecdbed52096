import { ChildList } from '#kit/page/detail/child-list.tsx'
import { child } from './adds/model.ts'

/** Whom the account has added, newest first. */
export function Adds({ row: { id } }: { row: { id: string } }) {
  return <ChildList child={child} id={id} />
}
