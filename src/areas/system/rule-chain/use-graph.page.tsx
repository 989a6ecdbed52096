import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { type Address, expressionAt } from '#engines/rule/address.model.ts'
import type { Edit } from '#engines/rule/change.model.ts'
import { drawingOf, everyPart } from '#engines/rule/drawing.model.ts'
import { editedText, nudge, remove } from '#engines/rule/edit.model.ts'
import { openingsOf } from '#engines/rule/opening.model.ts'
import type { Tree } from '#engines/rule/tree.model.ts'
import { type Asking, addingBeside, addingInside } from './asking.model.ts'
import { type Act, meantBy } from './graph-keys.model.ts'
import { knowing } from './knowing.model.ts'
import type { KnownNames } from './model.ts'

/** What can be done to a chain by its boxes: one of them is chosen, and what is done is done to that. */
export function useGraph(tree: Tree, names: KnownNames, isLocked: boolean, write: (source: string) => void) {
  const parts = useMemo(() => drawingOf(tree), [tree])
  const known = useMemo(() => knowing(names, null), [names])
  const box = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState<Address>('0')
  const [asking, setAsking] = useState<Asking>()
  const [isFollowed, setFollowed] = useState(false)
  const chosen = expressionAt(tree, wanted) ? wanted : (parts[0]?.at ?? wanted)
  const part = everyPart(parts).find(({ at }) => at === chosen)
  useEffect(
    function followChosen() {
      if (!isFollowed || asking) return
      box.current?.querySelector<HTMLElement>(`[data-at="${chosen}"]`)?.focus()
      setFollowed(false)
    },
    [isFollowed, asking, chosen],
  )
  const outcomeOf = (edit: Edit) => (isLocked ? undefined : editedText(tree, known, edit))
  const apply = (edit: Edit): void => {
    const done = outcomeOf(edit)
    setAsking(undefined)
    setFollowed(true)
    if (!done) return
    setWanted(done.at ?? '0')
    write(done.source)
  }
  const reach = (selector: string) => box.current?.parentElement?.querySelector<HTMLElement>(selector)?.focus()
  const acts: Readonly<Record<Act, () => void>> = {
    up: () => apply(nudge(chosen, -1)),
    down: () => apply(nudge(chosen, 1)),
    remove: () => apply(remove(chosen)),
    before: () => setAsking(addingBeside(tree, chosen, 'before')),
    after: () => setAsking(addingBeside(tree, chosen, 'after')),
    inside: () => {
      const [opening] = part ? openingsOf(part.expression) : []
      if (opening) setAsking(addingInside(chosen, opening))
    },
    wrap: () => reach('.rule-wrap'),
    edit: () => reach('.rule-settings input'),
  }
  const go = (to: Address): void => {
    setWanted(to)
    setFollowed(true)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const meant = isLocked ? undefined : meantBy(event, parts, chosen)
    if (!meant) return
    event.preventDefault()
    event.stopPropagation()
    if ('act' in meant) acts[meant.act]()
    else go(meant.go)
  }
  const leave = (): void => {
    setAsking(undefined)
    setFollowed(true)
  }
  return {
    parts,
    part,
    chosen,
    choose: setWanted,
    box,
    asking,
    ask: setAsking,
    outcomeOf,
    apply,
    onKeyDown,
    leave,
  }
}
export type GraphEditing = ReturnType<typeof useGraph>
