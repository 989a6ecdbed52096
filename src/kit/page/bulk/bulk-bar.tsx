import { Button, Grid, Space, Tooltip } from 'antd'
import { useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { MAX_MATCHING } from '#kit/model/task.ts'
import { formatCount } from '../figures.ts'
import { useTexts } from '../language.ts'
import { useChosenRows } from '../list/list-context.ts'
import type { Listed } from '../list/use-list.ts'
import type { locale as kitLocale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { openCount } from '../step-matter.tsx'
import type { AnyWorkflow } from '../step-types.ts'
import type { BulkTools } from './bulk-tools.ts'
import type { locale } from './locale.ts'
import { askMatching, firstMatching } from './matching.ts'

type Props = {
  resource: Resource
  workflow: AnyWorkflow | undefined
  list: Listed
  Tools: BulkTools | undefined
}

/** Appears with the first selected row: what can be done with all of them, and how many they are. */
export function BulkBar({ resource, workflow, list, Tools }: Props) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const bulk = useTexts<typeof locale>('kit/page/bulk')
  const say = useTexts(resource.screen.name)
  const { ids: selected, isAll } = useChosenRows()
  const { total } = list.answer
  const count = selected.length
  const inSight = list.answer.rows.filter(({ id }) => selected.includes(id)).length
  const told = isAll
    ? bulk('all-selected', { count: formatCount(total) })
    : inSight === count
      ? kit('selected', { count })
      : kit('selected-in-sight', { count, seen: inSight })
  const steps = Object.entries(workflow?.steps ?? {}).filter(([name, step]) => list.rights.holds(name) && !step.alone)
  return (
    <Space wrap className="inkstone-bulk" role="toolbar" aria-label={told}>
      <strong>{told}</strong>
      {steps.length > 0 && <SelectAll list={list} />}
      {steps.map(([name, step]) =>
        isAll ? (
          <StepForAll key={name} resource={resource} list={list} name={name} danger={step.danger} />
        ) : (
          <StepForChosen key={name} resource={resource} list={list} name={name} danger={step.danger} />
        ),
      )}
      {Tools && (
        <Tools
          count={isAll ? total : count}
          ids={async most => (isAll ? firstMatching(resource, list.state, most) : selected)}
          isAll={isAll}
          rows={list.rowsOf(selected)}
          onDone={list.changed}
        />
      )}
      {!isAll && list.rights.may('delete') && (
        <Button size="small" danger onClick={() => list.remove(selected)}>
          {kit('delete-many', { count, record: say('record') })}
        </Button>
      )}
      <Button size="small" type="link" onClick={() => list.selection.select([])}>
        {kit('clear-selection')}
      </Button>
    </Space>
  )
}

/** Offered once a whole page is chosen: more match than stand in sight. Cards have no box for the page. */
function SelectAll({ list }: { list: Listed }) {
  const bulk = useTexts<typeof locale>('kit/page/bulk')
  const narrow = Grid.useBreakpoint().md === false
  const { ids: selected, isAll } = useChosenRows()
  const { total, rows } = list.answer
  const isPageChosen = rows.length > 0 && rows.every(({ id }) => selected.includes(id))
  if (isAll || total <= selected.length || !(isPageChosen || narrow)) return null
  const isTooMany = total > MAX_MATCHING
  return (
    <Tooltip title={isTooMany ? bulk('too-many', { max: formatCount(MAX_MATCHING) }) : undefined}>
      <Button size="small" type="link" disabled={isTooMany} onClick={list.selection.selectAll}>
        {bulk('select-all', { count: formatCount(total) })}
      </Button>
    </Tooltip>
  )
}

type StepProps = { resource: Resource; list: Listed; name: string; danger: boolean }

/** Closed, with the reason, where none of the chosen rows is open to the step. */
function StepForChosen({ resource, list, name, danger }: StepProps) {
  const say = useTexts(resource.screen.name)
  const { ids: selected } = useChosenRows()
  const rows = list.rowsOf(selected)
  const isIdle = openCount(rows, name, selected.length) === 0
  const why = [...new Set(rows.flatMap(row => row.steps[name]?.msg ?? []))].join(' · ')
  return (
    <Tooltip title={isIdle ? why : undefined}>
      <Button size="small" danger={danger} disabled={isIdle} onClick={() => list.step(name, selected)}>
        {say(`step.${name}`)}
      </Button>
    </Tooltip>
  )
}

/** Asks the server what the step would meet, and then the person. */
function StepForAll({ resource, list, name, danger }: StepProps) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const say = useTexts(resource.screen.name)
  const notices = useNotices()
  const [busy, setBusy] = useState(false)
  const begin = async () => {
    setBusy(true)
    try {
      list.stepForAll(name, await askMatching(resource, name, list.state))
    } catch (error) {
      notices.failed(error, kit('load-failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="small" danger={danger} loading={busy} onClick={() => void begin()}>
      {say(`step.${name}`)}
    </Button>
  )
}
