import { type ReactNode, useEffect, useState } from 'react'
import type { Resource, RowOf, Shape } from '#kit/model/resource.ts'
import type { BulkTools } from '../bulk/bulk-tools.ts'
import { loadAhead } from '../chunk.ts'
import type { DetailHead, DetailTab, Shows } from '../detail/detail-types.ts'
import type { Inputs, IsShown } from '../form/inputs.ts'
import { maySeeScreen } from '../menu.ts'
import { findScreen } from '../screens.ts'
import { prepareQuestions } from '../step.tsx'
import type { AnyWorkflow, Outcome } from '../step-types.ts'
import { useTab } from '../tab.ts'
import { useUser } from '../user.ts'
import { useBeginView } from './begin-view.ts'
import { loadBulk } from './bulk-chunk.ts'
import { prepareDrawers } from './drawers.tsx'
import { useListKeys } from './keyboard.ts'
import { useKnownParameters } from './known-parameters.ts'
import {
  AnswerContext,
  AskedContext,
  type Held,
  HeldContext,
  type Offers,
  RightsContext,
  SelectionContext,
} from './list-context.ts'
import type { Row } from './list-state.ts'
import type { RowLink } from './row-link.ts'
import { useSide } from './side-state.ts'
import { useStickingHead } from './sticking-head.ts'
import { type Listed, useList } from './use-list.ts'
import '../kit.css'

export type ListProps<S extends Shape> = {
  resource: Resource<S>
  workflow?: AnyWorkflow | object
  /** Inputs of its own, by field: of the form and of steps. */
  inputs?: Inputs
  /** Whether a field is asked for, given what has been entered so far. */
  isShown?: IsShown
  /** What list and detail show in their own way, by field. */
  shows?: Shows
  /** What a question shows in its own way, by field of a step's `shows`. */
  tells?: Shows
  /** What came of a step for one record, where the name of what was done does not say it. */
  outcome?: Outcome
  /** What the detail shows besides its facts and what happened. */
  tabs?: readonly DetailTab[]
  /** What the detail begins with, above its sides. */
  head?: DetailHead
  /** Whether the server is still at work on a record, so that its detail looks again. */
  isUnderWay?(row: RowOf<Resource<S>>): boolean
  /** What a filter by a key of the code offers, by field. */
  offers?: Offers
  /** What may be done besides adding and exporting, beside those buttons. */
  tools?: ReactNode
  /** What may be done with the chosen rows besides steps, beside those buttons. */
  bulk?: BulkTools
  /** Where else a row leads. */
  links?(row: RowOf<Resource<S>>): readonly RowLink[]
}

const NONE = {}
const always = () => true

/** By then the rows are drawn, and nobody has yet reached for one. */
const PREPARE_MS = 300

/** A list, without saying how it looks: what it is asked, what is answered, what is chosen and what may be done, for the parts within it. */
export function List<S extends Shape>({ children, ...props }: ListProps<S> & { children: ReactNode }) {
  const declared = useDeclared(props)
  const { resource, workflow, asking } = declared
  const list = useList(resource, workflow, asking)
  useBeginView(resource)
  const cursor = useCursor(list)
  useKnownParameters(resource, list.answer.error)
  const selectable = props.bulk !== undefined || takesMany(list, workflow)
  usePrepared(list.answer.isSuccess, selectable)
  const held: Held = {
    ...declared,
    tools: props.tools,
    offers: props.offers ?? NONE,
    bulk: props.bulk,
    list,
    selectable,
    cursor,
    ...useStickingHead(),
    side: useSide(resource),
  }
  return (
    <HeldContext value={held}>
      <AskedContext value={list.state}>
        <AnswerContext value={list.answer}>
          <RightsContext value={list.rights}>
            <SelectionContext value={list.selection}>{children}</SelectionContext>
          </RightsContext>
        </AnswerContext>
      </AskedContext>
    </HeldContext>
  )
}

/** What the props say, as list and record need it. */
export function useDeclared<S extends Shape>(
  props: ListProps<S>,
): Pick<Held, 'resource' | 'workflow' | 'shows' | 'told' | 'asking' | 'links'> {
  const mayOpen = useMayOpen()
  const told = {
    resource: props.resource,
    workflow: props.workflow as AnyWorkflow | undefined,
    shows: props.shows ?? NONE,
    tabs: props.tabs ?? [],
    Head: props.head,
    isUnderWay: props.isUnderWay as ((row: Row) => boolean) | undefined,
  }
  return {
    resource: told.resource,
    workflow: told.workflow,
    shows: told.shows,
    told,
    asking: {
      inputs: props.inputs ?? NONE,
      isShown: props.isShown ?? always,
      shows: told.shows,
      tells: props.tells ?? NONE,
      ...(props.outcome ? { outcome: props.outcome } : {}),
    },
    links: (row: Row) => (props.links?.(row as never) ?? []).filter(({ path }) => mayOpen(path)),
  }
}

/** A way that ends at a closed door is not offered. */
function useMayOpen(): (path: string) => boolean {
  const user = useUser()
  return path => {
    const screen = findScreen(path.split('?')[0] as string)
    return screen !== undefined && maySeeScreen(user, screen)
  }
}

/** Whether something can be done with several rows at once. */
const takesMany = ({ rights }: Listed, workflow: AnyWorkflow | undefined): boolean =>
  rights.may('delete') ||
  Object.entries(workflow?.steps ?? {}).some(([name, step]) => rights.holds(name) && !step.alone)

function usePrepared(isListed: boolean, isSelectable: boolean): void {
  useEffect(
    function prepareWhatIsOpenedNext() {
      if (!isListed) return
      const timer = setTimeout(() => {
        prepareDrawers()
        prepareQuestions()
        if (isSelectable) loadAhead(loadBulk)
      }, PREPARE_MS)
      return () => clearTimeout(timer)
    },
    [isListed, isSelectable],
  )
}

/** The row the keyboard stands on, whatever body shows it; at rest while a drawer lies over the list. */
function useCursor(list: Listed): number {
  const tab = useTab()
  const [cursor, setCursor] = useState(-1)
  const { rows } = list.answer
  const row = rows[cursor]
  const covered = list.openId !== undefined || list.creating || list.edited !== undefined
  useListKeys(tab.shown && !covered, {
    move: by => setCursor(Math.min(rows.length - 1, Math.max(0, cursor + by))),
    select: () => row && list.selection.toggle(row.id),
    open: () => row && list.open(row.id),
    edit: () => row && list.rights.may('update') && list.edit(row.id),
  })
  return cursor
}
