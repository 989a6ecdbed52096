import { type Address, heldAt } from '#engines/rule/address.model.ts'
import { everyPart, type Part } from '#engines/rule/drawing.model.ts'

/** What is done with what is chosen, by a key. */
export type Act = 'up' | 'down' | 'remove' | 'after' | 'before' | 'inside' | 'wrap' | 'edit'
/** What a key means in the graph: where to go, or what to do. */
type Meant = { readonly go: Address } | { readonly act: Act }

type Key = { readonly key: string; readonly altKey: boolean; readonly ctrlKey: boolean; readonly metaKey: boolean }

const ACTS: Readonly<Record<string, Act>> = {
  Delete: 'remove',
  Backspace: 'remove',
  Insert: 'after',
  a: 'after',
  b: 'before',
  i: 'inside',
  w: 'wrap',
  Enter: 'edit',
}

/** Arrows lead through the boxes as through a text: up and down one by one, left out of a form, right into it. */
export function meantBy(
  { key, altKey, ctrlKey, metaKey }: Key,
  parts: readonly Part[],
  at: Address,
): Meant | undefined {
  if (ctrlKey || metaKey) return undefined
  if (altKey) return key === 'ArrowUp' ? { act: 'up' } : key === 'ArrowDown' ? { act: 'down' } : undefined
  const act = ACTS[key]
  if (act) return { act }
  const go = wayOf(key, parts, at)
  return go === undefined ? undefined : { go }
}

function wayOf(key: string, parts: readonly Part[], at: Address): Address | undefined {
  const order = everyPart(parts).map(part => part.at)
  const place = order.indexOf(at)
  const next = order[place + 1]
  if (key === 'ArrowDown') return next
  if (key === 'ArrowUp') return order[place - 1]
  if (key === 'ArrowLeft') return heldAt(at)?.holder
  if (key === 'ArrowRight') return next?.startsWith(`${at}/`) ? next : undefined
  if (key === 'Home') return order[0]
  return key === 'End' ? order.at(-1) : undefined
}
