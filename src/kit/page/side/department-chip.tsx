import { Tag } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import { useTree } from '../tree/use-tree.ts'
import { departmentsAt } from './departments-at.ts'
import type { locale } from './locale.ts'

/** Nobody knows a department by its id: until its name is there, or where it is out of sight, there is none to read. */
const UNNAMED = '…'

/** The departments that are asked for, removable like any other filter. */
export function DepartmentChip({
  resource,
  ids,
  onClose,
}: {
  resource: Resource
  ids: readonly string[]
  onClose(): void
}) {
  const say = useTexts<typeof locale>('kit/page/side')
  const { nodes } = useTree(...departmentsAt(resource))
  const names = ids.map(id => nodes.find(node => node.id === id)?.name ?? UNNAMED)
  return (
    <Tag closable onClose={onClose}>
      {`${say('departments')}: ${names.join(', ')}`}
    </Tag>
  )
}
