import { createContext, type ReactNode, type RefObject, use } from 'react'
import { useStore } from 'zustand'
import type { Resource } from '#kit/model/resource.ts'
import type { BulkTools } from '../bulk/bulk-tools.ts'
import type { DetailHead, DetailTab, Shows } from '../detail/detail-types.ts'
import type { Inputs, IsShown } from '../form/inputs.ts'
import type { AnyWorkflow, Outcome } from '../step-types.ts'
import type { Asked, Row } from './list-state.ts'
import type { RowLink } from './row-link.ts'
import type { Chosen, Selection } from './selection.ts'
import type { SideState } from './side-state.ts'
import type { Answer, Listed, Rights } from './use-list.ts'

/** What a filter offers where neither declaration nor dictionary says it, by field. */
export type Offers = Readonly<Record<string, readonly { readonly value: string; readonly label: string }[]>>

/** What a slice says of its list and its records, and what stands of them right now. */
export type Held = {
  readonly resource: Resource
  readonly workflow: AnyWorkflow | undefined
  readonly shows: Shows
  /** What drawer and page of a record are told. */
  readonly told: {
    readonly resource: Resource
    readonly workflow: AnyWorkflow | undefined
    readonly shows: Shows
    readonly tabs: readonly DetailTab[]
    readonly Head: DetailHead | undefined
    readonly isUnderWay: ((row: Row) => boolean) | undefined
  }
  readonly asking: {
    readonly inputs: Inputs
    readonly isShown: IsShown
    readonly shows: Shows
    readonly tells: Shows
    readonly outcome?: Outcome
  }
  links(row: Row): readonly RowLink[]
  readonly tools: ReactNode
  readonly offers: Offers
  readonly bulk: BulkTools | undefined
  readonly list: Listed
  /** Rows are chosen only where something can be done with many of them. */
  readonly selectable: boolean
  /** The row the keyboard stands on. */
  readonly cursor: number
  /** What stays in sight above the rows, and how far down it reaches. */
  readonly head: RefObject<HTMLDivElement | null>
  readonly top: number
  readonly side: SideState
}

// Apart, because whoever reads one of them is not drawn anew for the others.
export const HeldContext = createContext<Held | null>(null)
export const AskedContext = createContext<Asked | null>(null)
export const AnswerContext = createContext<Answer | null>(null)
export const RightsContext = createContext<Rights | null>(null)
export const SelectionContext = createContext<Selection | null>(null)

function within<T>(found: T | null): T {
  if (found === null) throw new Error('a part of a list stands within <List>')
  return found
}

/** All a list holds. For parts that act on it; what only shows something takes one of those below. */
export const useHeld = (): Held => within(use(HeldContext))
/** Filters, search, sort and page, and how to change them. */
export const useAsked = (): Asked => within(use(AskedContext))
/** Rows, how many there are, and whether they are still on their way. */
export const useAnswer = (): Answer => within(use(AnswerContext))
export const useRights = (): Rights => within(use(RightsContext))

/** All that is chosen. */
export const useChosenRows = (): Chosen => useStore(within(use(SelectionContext)).store)
export const useChosenCount = (): number => useStore(within(use(SelectionContext)).store, ({ ids }) => ids.length)
/** Whether this row is chosen; nobody else's choice draws it anew. */
export const useChosen = (id: string): boolean =>
  useStore(within(use(SelectionContext)).store, ({ ids }) => ids.includes(id))
