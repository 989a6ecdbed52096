import { ChildList } from '#kit/page/detail/child-list.tsx'
import { child } from './subscribers/model.ts'

/** Who follows the account, and by which code each came. */
export const Subscribers = ({ row: { id } }: { row: { id: string } }) => <ChildList child={child} id={id} />
