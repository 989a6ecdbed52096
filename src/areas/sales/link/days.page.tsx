import { ChildList } from '#kit/page/detail/child-list.tsx'
import { child } from './days/model.ts'

/** How many came on which day, newest first. */
export function Days({ row: { id } }: { row: { id: string } }) {
  return <ChildList child={child} id={id} />
}
