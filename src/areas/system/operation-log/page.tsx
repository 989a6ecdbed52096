import { use, useEffect, useRef } from 'react'
import { addDays, dayOf } from '#kit/model/time.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { RecordLinkContext } from '#kit/page/field/record-link.ts'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useChosenView } from '#kit/page/list/begin-view.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTitles } from '#kit/page/menu.ts'
import { screens } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import { BEGINS_WITH_DAYS, type LogRow, resource, type ShownChange } from './model.ts'

export function Page() {
  useBeginLately()
  const offers = { page: usePages() }
  return (
    <ListPage
      resource={resource}
      offers={offers}
      shows={{
        // Whoever did it has no record of his own: the console, or somebody at its command line.
        actorId: ({ actorId, labels }: LogRow) => (actorId === null ? labels.actorId?.name : undefined),
        recordId: (row: LogRow) => <Concerned row={row} />,
        why: ({ why }: LogRow) => why,
        changes: ({ changes }: LogRow) => <Changes changes={changes} />,
      }}
      head={About}
    />
  )
}

/** All that was done to one record, whoever did it and whenever. */
const linesOf = (page: string, recordId: string): string =>
  `${resource.screen.route}?${new URLSearchParams({ page, recordId })}`

/** Files and tasks have no page of their own, and are logged all the same. */
const BESIDE = ['file', 'task'] as const

/** Everything that lines are logged for, as the menu calls it. */
function usePages() {
  const titleOf = useTitles()
  const say = useTexts<typeof locale>(resource.screen.name)
  return [
    ...screens.map(({ key, name }) => ({ value: key ?? name, label: titleOf(name) })),
    ...BESIDE.map(page => ({ value: page, label: say(`page.${page}`) })),
  ]
}

/** Opened without an address of its own the list shows what is lately: what is older is a matter of asking. */
function useBeginLately(): void {
  const tab = useTab()
  const chosen = useChosenView(resource)
  const begun = useRef(false)
  useEffect(function beginLately() {
    if (begun.current) return
    begun.current = true
    if (tab.path === resource.screen.route && tab.search.size === 0 && !chosen)
      tab.change({ atBegin: addDays(dayOf(new Date()), 1 - BEGINS_WITH_DAYS) })
  })
}

/** On which page, to which record, and that it was no person, where it was none. */
function About({ row }: { row: LogRow }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <div>
      {row.labels.page?.name ?? row.page}
      {row.recordId !== null && (
        <>
          {' · '}
          <Concerned row={row} />
          {' · '}
          <a href={`#${linesOf(row.page, row.recordId)}`}>{say('of-record')}</a>
        </>
      )}
      {row.actorId === null && ` · ${say('by', { name: row.labels.actorId?.name ?? MISSING })}`}
    </div>
  )
}

/** The record by the number people know it by; in a detail it leads there, for whoever may open it. */
function Concerned({ row: { page, recordId, labels } }: { row: LogRow }) {
  const linkTo = use(RecordLinkContext)
  if (recordId === null) return MISSING
  const name = labels.recordId?.name ?? `#${recordId}`
  const screen = screens.find(({ key }) => key === page)
  const path = screen && linkTo(screen.name.slice(screen.name.lastIndexOf('/') + 1), recordId)
  return path === undefined ? <span className="inkstone-figure">{name}</span> : <a href={`#${path}`}>{name}</a>
}

/** Before and after side by side; what was only looked at has neither. */
function Changes({ changes }: { changes: readonly ShownChange[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const side = (value: string | null) => value ?? MISSING
  return (
    <SmallTable<ShownChange>
      rows={changes}
      empty={say('no-changes')}
      columns={[
        { title: say('change.field'), dataIndex: 'name' },
        { title: say('change.before'), dataIndex: 'before', render: side },
        { title: say('change.after'), dataIndex: 'after', render: side },
      ]}
    />
  )
}
