import { Skeleton, Space, Tabs } from 'antd'
import { Fragment, lazy, type ReactNode, Suspense } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import type { EditionsProps } from '../editions/editions-tab.tsx'
import { Maskable } from '../field/maskable.tsx'
import { RecordLinkContext } from '../field/record-link.ts'
import { Show } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { locale as kitLocale } from '../locale.ts'
import type { AnyWorkflow } from '../step-types.ts'
import type { DetailHead, DetailTab, Shows } from './detail-types.ts'
import { Evidence } from './evidence.tsx'
import { FactList, OtherFacts } from './facts.tsx'
import { placeFields } from './fields.ts'
import type { locale } from './locale.ts'
import { Path } from './path.tsx'
import { type RelatedTab, useRelatedTabs } from './related.ts'
import { Timeline } from './timeline.tsx'
import { useRecordLink } from './use-record-link.ts'
import './detail.css'

/** What a slice says of its details; the kit says the rest. */
export type Told = {
  resource: Resource
  workflow: AnyWorkflow | undefined
  shows: Shows
  /** Sides of the record that are the slice's own. */
  tabs: readonly DetailTab[]
  Head?: DetailHead | undefined
}

/**
 * A record as people ask about it: the facts they look for, where it stands and for whom it waits, the evidence beside the
 * decision, what hangs on it, and what happened.
 */
export function Story({ row, actions, ...told }: Told & { row: Row; actions: ReactNode }) {
  const { resource, workflow, shows, tabs, Head } = told
  const kit = useTexts<typeof kitLocale>('kit/page')
  const say = useTexts<typeof locale>('kit/page/detail')
  const related = useRelatedTabs(resource)
  const { facts, evidence, others, empty } = placeFields(resource, shows, row)
  const known = { resource, shows, row }
  const linkTo = useRecordLink()
  const otherFacts = <OtherFacts {...known} others={others} empty={empty} />
  const details = { key: 'detail', label: kit('detail'), children: otherFacts }
  const sides = [
    ...(resource.editions ? [editionsItem(known)] : []),
    ...tabs.map(ownTab(resource, row)),
    ...related.map(relatedItem(row)),
  ]
  // Where all that is known stands above already, what hangs on the record comes first, and what has no value last.
  const items = others.length > 0 ? [details, ...sides] : empty.length > 0 ? [...sides, details] : sides
  const isAllAbove = others.length === 0 && sides.length === 0
  return (
    <RecordLinkContext value={linkTo}>
      <div className="inkstone-story">
        {Head && (
          <div className="inkstone-story-head">
            <Head row={row as never} />
          </div>
        )}
        <FactList {...known} fields={facts} main />
        {workflow?.path && <Path resource={resource} workflow={workflow} row={row} />}
        <div className="inkstone-columns-story">
          <div className="inkstone-matters">
            <Evidence {...known} fields={evidence} />
            {isAllAbove ? otherFacts : <Tabs items={items} />}
          </div>
          <aside aria-label={kit('timeline')}>
            <fieldset className="inkstone-decision" aria-label={say('steps')}>
              {actions}
            </fieldset>
            <section className="inkstone-happened">
              <h2>{kit('timeline')}</h2>
              <Timeline resource={resource} id={row.id} />
            </section>
          </aside>
        </div>
      </div>
    </RecordLinkContext>
  )
}

// Most records are published by saving them.
const EditionsTab = lazy(async () => ({ default: (await import('../editions/editions-tab.tsx')).EditionsTab }))

const editionsItem = (known: EditionsProps) => ({
  key: 'editions',
  label: <TabName texts="kit/page/editions" name="title" />,
  children: (
    <Suspense fallback={<Skeleton active />}>
      <EditionsTab {...known} />
    </Suspense>
  ),
})

const ownTab =
  ({ screen }: Resource, row: Row) =>
  ({ name, texts = screen.name, Show: Side }: DetailTab) => ({
    key: `${texts}:${name}`,
    label: <TabName texts={texts} name={name} />,
    children: <Side row={row as never} />,
  })

const relatedItem =
  (row: Row) =>
  ({ texts, title, show }: RelatedTab) => ({
    key: `${texts}:${title}`,
    label: <TabName texts={texts} name={title} />,
    children: <Fragment key={row.id}>{show(row.id, row)}</Fragment>,
  })

function TabName({ texts, name }: { texts: string; name: string }) {
  return useTexts(texts)(name)
}

/** What it is and how it stands; for whom it waits, where no path says so. */
export function Heading({ resource, workflow, row }: Pick<Told, 'resource' | 'workflow'> & { row: Row }) {
  const state = resource.list.tabs
  const linkTo = useRecordLink()
  return (
    <Space size={[12, 4]} wrap>
      {/* A record that is called by another leads to it. */}
      <RecordLinkContext value={linkTo}>
        <Maskable resource={resource} field={resource.title} row={row} />
      </RecordLinkContext>
      {state && <Show resource={resource} field={state} row={workflow?.path ? { ...row, waiting: null } : row} />}
    </Space>
  )
}
