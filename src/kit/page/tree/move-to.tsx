import { TreeSelect } from 'antd'
import { useState } from 'react'
import { useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import { useQuestion } from '../question.ts'
import type { locale } from './locale.ts'
import { branchesOf, type Place, wayTo } from './place.ts'
import { optionOf } from './tree-picker.tsx'
import type { ReadTree } from './use-tree.ts'

/** The way for everybody who does not drag: asks below which record it is to stand, then moves it. */
export function useMoveTo({ nodes }: ReadTree, move: (id: string, place: Place) => void) {
  const say = useTexts<typeof locale>('kit/page/tree')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const ask = useQuestion()
  return (id: string) => {
    // Never below itself: that branch is not on offer.
    const others = nodes.filter(node => !wayTo(nodes, node.id).includes(id))
    let chosen: string | undefined
    const question = ask({
      title: say('move', { name: nodes.find(node => node.id === id)?.name ?? '' }),
      content: <Below nodes={others} label={say('place-first')} onChange={parent => choose(parent)} />,
      okText: say('move-to'),
      okButtonProps: { disabled: true },
      cancelText: kit('cancel'),
      onOk: () => {
        if (chosen !== undefined) move(id, { parentId: chosen, after: 'last' })
      },
    })
    const choose = (parent: string | undefined) => {
      chosen = parent
      question.update({ okButtonProps: { disabled: parent === undefined } })
    }
  }
}

function Below({
  nodes,
  label,
  onChange,
}: {
  nodes: ReadTree['nodes']
  label: string
  onChange(id: string | undefined): void
}) {
  const [value, setValue] = useState<string>()
  return (
    <TreeSelect
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={chosen => {
        setValue(chosen)
        onChange(chosen)
      }}
      treeData={branchesOf(nodes).map(branch => optionOf(branch, true))}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'title' }}
      style={{ width: '100%' }}
    />
  )
}
