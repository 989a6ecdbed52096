import { type DragEvent, useState } from 'react'
import { type Address, expressionAt, isWithin } from '#engines/rule/address.model.ts'
import { move, type Side } from '#engines/rule/edit.model.ts'
import { openingsOf } from '#engines/rule/opening.model.ts'
import type { Tree } from '#engines/rule/tree.model.ts'
import type { GraphEditing } from './use-graph.page.tsx'

export type Over = { readonly at: Address; readonly side: Side | 'inside' }

/** Boxes carried by the mouse: where one may be let go is shown, elsewhere it stays where it was. */
export function useCarrying(tree: Tree, { outcomeOf, apply }: Pick<GraphEditing, 'outcomeOf' | 'apply'>) {
  const [from, setFrom] = useState<Address>()
  const [over, setOver] = useState<Over>()
  const end = (): void => {
    setFrom(undefined)
    setOver(undefined)
  }
  const onDragOver = (event: DragEvent<HTMLElement>): void => {
    const next = from === undefined ? undefined : overOf(tree, event)
    const isSame = next !== undefined && over?.at === next.at && over.side === next.side
    // Asked of the chain only where the place has changed: this is called for every move of the mouse.
    const mayDrop =
      isSame || (next && from !== undefined && !isWithin(next.at, from) && outcomeOf(move(from, next.at, next.side)))
    if (mayDrop) event.preventDefault()
    if (!isSame) setOver(mayDrop ? next : undefined)
  }
  return {
    over,
    handlers: {
      onDragStart: (event: DragEvent<HTMLElement>) => {
        setFrom(addressIn(event.target))
        event.dataTransfer.effectAllowed = 'move'
      },
      onDragOver,
      onDragEnd: end,
      onDrop: (event: DragEvent<HTMLElement>) => {
        event.preventDefault()
        if (from !== undefined && over) apply(move(from, over.at, over.side))
        end()
      },
    },
  }
}

const boxAt = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null
/** The box something in the graph stands in. */
export const addressIn = (target: EventTarget): Address | undefined => boxAt(target)?.dataset.at

/** Beside the nearer edge of a box; over the head of a form into it. */
function overOf(tree: Tree, { target, clientX, clientY }: DragEvent<HTMLElement>): Over | undefined {
  const box = boxAt(target)
  const at = box?.dataset.at
  const expression = at === undefined ? undefined : expressionAt(tree, at)
  if (!box || at === undefined || !expression) return undefined
  const isHead = target instanceof Element && target.closest('.rule-head') !== null
  if (isHead && openingsOf(expression).some(({ word }) => word === '')) return { at, side: 'inside' }
  const { left, top, width, height } = box.getBoundingClientRect()
  const isAbreast = box.parentElement?.classList.contains('rule-abreast') ?? false
  const isBefore = isAbreast ? clientX < left + width / 2 : clientY < top + height / 2
  return { at, side: isBefore ? 'before' : 'after' }
}
