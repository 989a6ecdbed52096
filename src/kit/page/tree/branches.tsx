import { Tree, type TreeProps } from 'antd'
import { useEffect, useState } from 'react'
import { useTab } from '../tab.ts'
import {
  type Branch,
  branchesOf,
  MOVING_KEYS,
  type MovingKey,
  type OwnPlace,
  type Place,
  placeAmongOwn,
  placeByDrop,
  placeByKey,
  placeOf,
  wayTo,
} from './place.ts'
import type { ReadTree } from './use-tree.ts'

type Props = {
  tree: ReadTree
  chosen: string | undefined
  onChoose(id: string): void
  /** Puts a record elsewhere; absent where nobody may. */
  onMove: ((id: string, place: Place) => void) | undefined
  /** Records change places among their own, and never go below another. */
  isFixed: boolean
  /** What was typed is looked for everywhere, so everything found is opened. */
  isSearch: boolean
}

/** A company of so many is shown open: nothing is hidden that would fit the screen. */
const OPEN_UP_TO = 40

/** Records below one another: chosen by click or arrows, moved by dragging or with Alt and an arrow. */
export function Branches({ tree, chosen, onChoose, onMove, isFixed, isSearch }: Props) {
  const { nodes, shown, isWhole, open } = tree
  const [unfolded, setUnfolded] = useState<readonly string[]>()
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<string>()
  const usual =
    shown.length <= OPEN_UP_TO
      ? ids(shown)
      : [...ids(shown.filter(({ parentId }) => parentId === null)), ...(chosen ? wayTo(nodes, chosen) : [])]
  const drop: TreeProps['onDrop'] = ({ dragNode, node, dropPosition, dropToGap }) => {
    const [moved, target] = [String(dragNode.key), String(node.key)]
    // Of antd's position only the difference to the record's own is reliable.
    const position = Number(node.pos.split('-').at(-1))
    const where = dropToGap ? (dropPosition < position ? 'above' : 'below') : 'into'
    const own = isFixed ? placeAmongOwn(nodes, moved, target) : ({ id: target, where } as const)
    // Over what stands below it, antd names the record itself once the pointer is far enough to the left.
    const place = own && placeByDrop(nodes, moved, own.id, own.where)
    if (place) onMove?.(moved, place)
    setDragged(undefined)
  }
  const taken = isFixed && dragged && over ? placeAmongOwn(nodes, dragged, over) : undefined
  const { shown: isInSight } = useTab()
  useEffect(function moveByKeys() {
    if (!isInSight || !onMove || chosen === undefined) return
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      // Who types somewhere else means what is typed there; the tree's own field takes nothing but keys.
      const isElsewhere = target.closest('input, textarea, [role="dialog"]') && !target.closest('.ant-tree')
      if (!event.altKey || isElsewhere || !isMoving(event.key)) return
      // Alt and an arrow would leave the page.
      event.preventDefault()
      event.stopPropagation()
      const place = placeByKey(nodes, chosen, event.key)
      if (place && (!isFixed || place.parentId === placeOf(nodes, chosen).parentId)) onMove(chosen, place)
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  })
  return (
    <Tree
      blockNode
      showLine={{ showLeafIcon: false }}
      draggable={onMove && !isSearch ? { icon: false } : false}
      onDrop={drop}
      onDragStart={({ node }) => setDragged(String(node.key))}
      onDragEnter={({ node }) => setOver(String(node.key))}
      onDragEnd={() => setDragged(undefined)}
      className={isFixed ? 'inkstone-tree-fixed' : ''}
      allowDrop={({ dragNode, dropNode }) =>
        !isFixed || placeAmongOwn(nodes, String(dragNode.key), String(dropNode.key)) !== undefined
      }
      selectedKeys={chosen === undefined ? [] : [chosen]}
      onSelect={(_, { node }) => onChoose(String(node.key))}
      expandedKeys={[...(isSearch ? ids(shown) : (unfolded ?? usual))]}
      onExpand={keys => setUnfolded(keys.map(String))}
      {...(isWhole || isSearch ? {} : { loadData: ({ key }) => open(String(key)) })}
      treeData={branchesOf(shown).map(branch => drawn(branch, taken))}
    />
  )
}

const ids = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id)
const isMoving = (key: string): key is MovingKey => (MOVING_KEYS as readonly string[]).includes(key)

type Drawn = NonNullable<TreeProps['treeData']>[number]

const drawn = ({ node, below }: Branch, taken: OwnPlace | undefined): Drawn => ({
  key: node.id,
  title: (
    <span className={`inkstone-node${node.id === taken?.id ? ` inkstone-node-${taken.where}` : ''}`}>
      <span className="inkstone-node-name" title={node.name}>
        {node.name}
      </span>
      {node.beside !== null && <span className="inkstone-node-beside">{node.beside}</span>}
    </span>
  ),
  isLeaf: node.children === 0,
  ...(below.length > 0 ? { children: below.map(branch => drawn(branch, taken)) } : {}),
})
