import { type ClipboardEvent, type RefObject, useState } from 'react'
import type { Column } from './column.ts'
import { follow } from './line-keys.ts'

type Place = { readonly at: number; readonly column: string }
type Room<L> = {
  readonly columns: readonly Column<L>[]
  readonly max: number
  readonly blank: ((lines: readonly L[]) => L) | undefined
}

/** Takes rows of a spreadsheet that are pasted into a cell; `left` says how many found no room. */
export function usePaste<L extends object>(
  list: RefObject<HTMLElement | null>,
  lines: readonly L[],
  room: Room<L>,
  give: (lines: readonly L[]) => void,
) {
  const [left, setLeft] = useState(0)
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-column]')
    const at = [...(list.current?.children ?? [])].findIndex(row => row.contains(cell))
    if (!cell || at < 0 || !isTable(text)) return
    event.preventDefault()
    const next = pasted(lines, text, { at, column: cell.dataset.column ?? '' }, room)
    give(next.lines)
    setLeft(next.left)
  }
  return { paste, left }
}

/** Whether this was copied from a spreadsheet: several cells, not a text with a tab at its end. */
const isTable = (text: string): boolean => /[\t\n]/.test(text.trim())

/** Rows of a spreadsheet, put where they were pasted and further down, with new lines for those beyond the last. */
function pasted<L extends object>(lines: readonly L[], text: string, { at, column }: Place, room: Room<L>) {
  const rows = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const first = room.columns.findIndex(({ name }) => name === column)
  const fitting = rows.slice(0, (room.blank ? room.max : lines.length) - at)
  const next = [...lines]
  for (const [down, row] of fitting.entries()) {
    const before = next[at + down] ?? room.blank?.(next)
    if (before) next[at + down] = entered(before, row.split('\t'), room.columns.slice(first))
  }
  return { lines: next, left: rows.length - fitting.length }
}

function entered<L extends object>(before: L, texts: readonly string[], columns: readonly Column<L>[]): L {
  const parts = columns.slice(0, texts.length).map((column, along) => {
    const value = 'paste' in column ? column.paste?.(texts[along]?.trim() ?? '') : undefined
    return value === undefined ? {} : { [column.name]: value }
  })
  const line = Object.assign({ ...before }, ...parts) as L
  follow(line, before)
  return line
}
