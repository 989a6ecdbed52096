import type { TreeNode } from '#kit/model/tree.ts'

/** Where a record is to stand: below which, and after which of those there; `last` where nobody said. */
export type Place = { readonly parentId: string | null; readonly after: string | 'first' | 'last' }

/** Dropped on a record, or into the gap above or below it; nowhere where that is itself or stands below it. */
export function placeByDrop(
  nodes: readonly TreeNode[],
  moved: string,
  target: string,
  where: 'above' | 'below' | 'into',
): Place | undefined {
  if (wayTo(nodes, target).includes(moved)) return undefined
  if (where === 'into') return { parentId: target, after: 'last' }
  const parentId = find(nodes, target)?.parentId ?? null
  if (where === 'below') return { parentId, after: target }
  const others = below(nodes, parentId).filter(({ id }) => id !== moved)
  return { parentId, after: others[others.findIndex(({ id }) => id === target) - 1]?.id ?? 'first' }
}

export const MOVING_KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const
export type MovingKey = (typeof MOVING_KEYS)[number]

export type OwnPlace = { readonly id: string; readonly where: 'above' | 'below' }

/**
 * Where what stands below what is fixed, a record takes the place of the one of its own it is dropped on, or on whatever
 * stands below that: which one, and on which side of it the record comes to stand. Nothing where there is none.
 */
export function placeAmongOwn(nodes: readonly TreeNode[], moved: string, target: string): OwnPlace | undefined {
  const parentId = find(nodes, moved)?.parentId ?? null
  const own = below(nodes, parentId).map(({ id }) => id)
  const over = wayTo(nodes, target).find(id => own.includes(id))
  if (over === undefined || over === moved) return undefined
  return { id: over, where: own.indexOf(over) < own.indexOf(moved) ? 'above' : 'below' }
}

/** One place up or down among its own, out of what it stands below, or into the one before it; nothing where there is no such place. */
export function placeByKey(nodes: readonly TreeNode[], id: string, key: MovingKey): Place | undefined {
  const node = find(nodes, id)
  if (!node) return undefined
  const { parentId } = node
  const siblings = below(nodes, parentId)
  const at = siblings.indexOf(node)
  const [before, next] = [siblings[at - 1], siblings[at + 1]]
  switch (key) {
    case 'ArrowUp':
      return before && { parentId, after: siblings[at - 2]?.id ?? 'first' }
    case 'ArrowDown':
      return next && { parentId, after: next.id }
    case 'ArrowLeft': {
      const parent = parentId === null ? undefined : find(nodes, parentId)
      return parent && { parentId: parent.parentId, after: parent.id }
    }
    case 'ArrowRight':
      return before && { parentId: before.id, after: 'last' }
  }
}

/** Where it stands now: the way back from wherever it goes. */
export function placeOf(nodes: readonly TreeNode[], id: string): Place {
  const parentId = find(nodes, id)?.parentId ?? null
  const siblings = below(nodes, parentId)
  return { parentId, after: siblings[siblings.findIndex(node => node.id === id) - 1]?.id ?? 'first' }
}

/** Those that fit what was typed, and all above them: a hit without its way is not found again. */
export function fitting(nodes: readonly TreeNode[], typed: string): readonly TreeNode[] {
  const text = typed.trim().toLowerCase()
  if (text === '') return nodes
  const kept = new Set<string>()
  for (const node of nodes)
    if (node.name.toLowerCase().includes(text)) for (const id of wayTo(nodes, node.id)) kept.add(id)
  return nodes.filter(({ id }) => kept.has(id))
}

/** From the top down to the record itself. */
export function wayTo(nodes: readonly TreeNode[], id: string): string[] {
  const way: string[] = []
  for (
    let node = find(nodes, id);
    node && !way.includes(node.id);
    node = node.parentId === null ? undefined : find(nodes, node.parentId)
  )
    way.unshift(node.id)
  return way
}

export type Branch = { readonly node: TreeNode; readonly below: readonly Branch[] }

/** What stands below what, in the order given. One above that was not read counts as the top. */
export function branchesOf(nodes: readonly TreeNode[]): Branch[] {
  const byParent = Map.groupBy(nodes, ({ parentId }) => parentId)
  const known = new Set(nodes.map(({ id }) => id))
  const grow = (node: TreeNode): Branch => ({ node, below: (byParent.get(node.id) ?? []).map(grow) })
  return nodes.filter(({ parentId }) => parentId === null || !known.has(parentId)).map(grow)
}

const find = (nodes: readonly TreeNode[], id: string) => nodes.find(node => node.id === id)
const below = (nodes: readonly TreeNode[], parent: string | null) => nodes.filter(({ parentId }) => parentId === parent)
