import { DeleteOutlined, HolderOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useState } from 'react'
import type { locale } from '../form/locale.ts'
import { useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import type { Cell, Column, EnteredColumn, Given } from './column.ts'
import type { Faults } from './use-faults.ts'

/** What is entered under a line once somebody asks for it. */
export type More<L> = {
  readonly title: string
  readonly icon: ReactNode
  show(line: L, set: Cell<L>['set']): ReactNode
}

/** What is done to lines, by their place; stays the same as they change. */
export type Hands<L> = {
  set(at: number, parts: Partial<L>): void
  remove?(at: number): void
  /** By pointer. */
  grab?(at: number, event: PointerEvent<HTMLElement>): void
  /** By keyboard: one place up or down. */
  step?(at: number, by: -1 | 1): void
}

type Props<L> = {
  line: L
  at: number
  columns: readonly Column<L>[]
  faults: Faults
  hands: Hands<L>
  more: More<L> | undefined
  /** It is the last one a record cannot do without. */
  isKept: boolean
  isLast: boolean
  isCarried: boolean
  /** Where it is drawn while another one is carried. */
  order: number
}

/** One line: its cells under the headings, or a card where there is no room for columns. */
function LineRow<L extends object>(props: Props<L>) {
  const { line, at, columns, faults, hands, more, isKept, isLast, isCarried, order } = props
  const kit = useTexts<typeof kitLocale>('kit/page')
  const say = useTexts<typeof locale>('kit/page/form')
  const [isOpen, setOpen] = useState(false)
  const number = at + 1
  const set = (parts: Partial<L>) => hands.set(at, parts)
  const said = new Set<string>(
    columns.flatMap(column => ('tell' in column ? [] : [column.name, ...(column.also ?? [])])),
  )
  const others = Object.entries(faults).filter(([part]) => !said.has(part))
  const stepByKey = (event: KeyboardEvent<HTMLElement>) => {
    const by = STEPS[event.key]
    const isOnHandle = (event.target as HTMLElement).closest('.inkstone-line-handle') !== null
    if (by === undefined || !hands.step || !(event.altKey || isOnHandle)) return
    // A number would count, a list would open.
    event.preventDefault()
    event.stopPropagation()
    hands.step(at, by)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of the grid in every browser
    <div
      role="group"
      aria-label={say('line-number', { number })}
      className={isCarried ? 'inkstone-line inkstone-line-carried' : 'inkstone-line'}
      style={{ order }}
      onKeyDownCapture={stepByKey}
    >
      {hands.grab && (
        <Button
          type="text"
          className="inkstone-line-handle"
          icon={<HolderOutlined />}
          aria-label={say('move-line', { number })}
          title={say('move-line-by')}
          onPointerDown={event => hands.grab?.(at, event)}
        />
      )}
      <span className="inkstone-line-number">{number}</span>
      {columns.map(column => (
        <div key={column.name} className={classOf(column)} data-column={column.name}>
          <span className="inkstone-line-label" aria-hidden>
            {column.title}
          </span>
          {'tell' in column ? (
            <div className="inkstone-line-told">{column.tell(line)}</div>
          ) : (
            <Entered {...{ column, line, isLast, faults, set }} />
          )}
        </div>
      ))}
      <span className="inkstone-line-tools">
        {more && (
          <Button
            type="text"
            icon={more.icon}
            aria-label={more.title}
            title={more.title}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        {hands.remove && (
          <Button
            type="text"
            className="inkstone-line-remove"
            icon={<DeleteOutlined />}
            aria-label={kit('delete')}
            title={kit('delete')}
            disabled={isKept}
            onClick={() => hands.remove?.(at)}
          />
        )}
      </span>
      {(isOpen || others.length > 0) && (
        <div className="inkstone-line-more">
          {isOpen && more?.show(line, set)}
          <Told words={others.map(([, words]) => words)} />
        </div>
      )}
    </div>
  )
}
export const Line = memo(LineRow) as typeof LineRow

const classOf = ({ width, isFigure }: { width?: number; isFigure?: boolean }): string =>
  ['inkstone-line-cell', width === undefined && 'inkstone-line-wide', isFigure && 'inkstone-line-figure']
    .filter(Boolean)
    .join(' ')

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }

type EnteredProps<L> = {
  column: EnteredColumn<L, keyof L & string>
  line: L
  isLast: boolean
  faults: Faults
  set: Cell<L>['set']
}

function Entered<L extends object>({ column, line, isLast, faults, set }: EnteredProps<L>) {
  const parts: readonly string[] = [column.name, ...(column.also ?? [])]
  const give = (part: string, label: string): Given =>
    part in faults ? { 'aria-label': label, status: 'error', 'aria-invalid': true } : { 'aria-label': label }
  const cell: Cell<L, L[keyof L & string]> = {
    line,
    isLast,
    value: line[column.name],
    given: give(column.name, column.label?.(line) ?? column.title),
    give,
    change: value => set({ [column.name]: value } as Partial<L>),
    set,
  }
  return (
    <>
      {/* Name and value of a column belong together, which the compiler cannot follow through a list of them. */}
      {column.cell(cell)}
      <Told words={parts.flatMap(part => faults[part] ?? [])} />
    </>
  )
}

export function Told({ words }: { words: readonly string[] }) {
  return words.map(text => (
    <div key={text} role="alert" className="inkstone-line-fault">
      {text}
    </div>
  ))
}
