import { TreeSelect } from 'antd'
import type { CSSProperties } from 'react'
import { type Branch, branchesOf } from './place.ts'
import { useTree } from './use-tree.ts'

type Props<T> = {
  to: string
  id?: string
  value?: T
  onChange?: (value: T) => void
  disabled?: boolean
  placeholder?: string
  'aria-label'?: string
  style?: CSSProperties
  status?: 'error'
}

/** For forms: chooses one record of a tree, shown where it stands. */
export function TreePicker({ to, value, onChange, ...control }: Props<string>) {
  const tree = useTreeOptions(to, true)
  return (
    <TreeSelect
      {...tree}
      {...control}
      value={value || undefined}
      onChange={chosen => onChange?.(chosen ?? '')}
      allowClear
      style={{ width: '100%' }}
    />
  )
}

/** For filters: each stands for all below it too. */
export function TreesPicker({ to, value = [], onChange, style, ...control }: Props<string[]>) {
  const tree = useTreeOptions(to, false)
  return (
    <TreeSelect
      {...tree}
      {...control}
      multiple
      maxTagCount="responsive"
      value={value}
      onChange={chosen => onChange?.(chosen)}
      allowClear
      style={style ?? { width: '100%' }}
    />
  )
}

function useTreeOptions(to: string, isForNew: boolean) {
  const { nodes, isWhole, open } = useTree(`/common/reference/${to}/tree`, ['reference', to, 'tree'])
  return {
    treeData: branchesOf(nodes).map(branch => optionOf(branch, isForNew)),
    treeDefaultExpandAll: nodes.length < 40,
    showSearch: { treeNodeFilterProp: 'title' },
    ...(isWhole ? {} : { loadData: ({ value }: { value?: unknown }) => open(String(value)) }),
  } as const
}

type Option = { value: string; title: string; isLeaf: boolean; disabled: boolean; children?: Option[] }
/** What is closed takes nothing new, and is still looked for. */
export const optionOf = ({ node, below }: Branch, isForNew: boolean): Option => ({
  value: node.id,
  title: node.name,
  isLeaf: node.children === 0,
  disabled: isForNew && node.isClosed === true,
  ...(below.length > 0 ? { children: below.map(branch => optionOf(branch, isForNew)) } : {}),
})
