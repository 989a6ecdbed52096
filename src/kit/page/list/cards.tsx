import { Card, Checkbox, Descriptions, Skeleton, Space } from 'antd'
import type { ReactNode } from 'react'
import { metaOf } from '#kit/model/resource.ts'
import { Maskable } from '../field/maskable.tsx'
import { headOf, isMissing, MISSING } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import { useAnswer, useChosen, useHeld } from './list-context.ts'
import { nameOf, type Row } from './list-state.ts'
import { opensRow } from './opens-row.ts'
import { useActionsOf } from './row-actions.tsx'

/** How many columns a card shows below its title; the rest is in the detail. */
const SHOWN = 5

/** The table below 768 px: one card a row, with the columns that matter and everything in reach of a thumb. */
export function Cards({ empty }: { empty: ReactNode }) {
  const { rows, isPending, isFetching, isOld } = useAnswer()
  if (isPending) return <Skeleton active />
  if (rows.length === 0) return empty
  return (
    <div className={isOld ? 'inkstone-old' : undefined} aria-busy={isFetching}>
      {rows.map(row => (
        <RowCard key={row.id} row={row} />
      ))}
    </div>
  )
}

function RowCard({ row }: { row: Row }) {
  const { resource, list, shows, selectable } = useHeld()
  const say = useTexts(resource.screen.name)
  const isChosen = useChosen(row.id)
  const { near, more } = useActionsOf(row)
  const isGone = useAnswer().gone.has(row.id)
  const fields = resource.list.columns
    // Where the title is masked, its line is the way to see it.
    .filter(field => field !== resource.title || metaOf(resource, field).kind === 'personal')
    .map(field => ({ field, own: shows[field]?.(row as never) }))
    // A dash for what is not there takes a line from what is.
    .filter(({ field, own }) =>
      own === undefined ? !isMissing(row[field as 'id']) : own !== MISSING && row[field as 'id'] !== (false as unknown),
    )
    .slice(0, SHOWN)
  return (
    <Card
      className={isGone ? 'inkstone-card inkstone-gone' : 'inkstone-card'}
      size="small"
      style={{ marginBottom: 8 }}
      onClick={event => opensRow(event) && list.open(row.id)}
      title={
        <button type="button" className="inkstone-card-title" onClick={() => list.open(row.id)}>
          {nameOf(resource, row)}
        </button>
      }
      // What is folded away needs no line of its own: more cards are in sight.
      extra={
        (more || selectable) && (
          <Space size={0}>
            {more}
            {selectable && (
              <Checkbox
                aria-label={String(row[resource.title as 'id'])}
                checked={isChosen}
                onChange={() => list.selection.toggle(row.id)}
              />
            )}
          </Space>
        )
      }
    >
      <Descriptions
        column={1}
        size="small"
        items={fields.map(({ field, own }) => ({
          key: field,
          label: headOf(resource, field, say(`field.${field}`)),
          children: own ?? <Maskable resource={resource} field={field} row={row} />,
        }))}
      />
      {near && !isGone && <Space size={0}>{near}</Space>}
    </Card>
  )
}
