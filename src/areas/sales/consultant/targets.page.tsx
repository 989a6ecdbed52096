import { ChildList } from '#kit/page/detail/child-list.tsx'
import { child } from './targets/model.ts'

/** What somebody was to sell, month by month. */
export const Targets = ({ row: { id } }: { row: { id: string } }) => <ChildList child={child} id={id} />
