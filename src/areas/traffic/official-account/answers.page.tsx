import { ChildList } from '#kit/page/detail/child-list.tsx'
import { child } from './answers/model.ts'

/** What the account has answered by itself. */
export const Answers = ({ row: { id } }: { row: { id: string } }) => <ChildList child={child} id={id} />
