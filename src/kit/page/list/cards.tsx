import { Card, Checkbox, Descriptions, Skeleton } from 'antd'
import { Maskable } from '../field/maskable.tsx'
import { headOf } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import { nameOf } from './list-state.ts'
import type { BodyProps } from './list-table.tsx'

/** How many columns a card shows below its title; the rest is in the detail. */
const SHOWN = 5

/** The table below 768 px: one card a row, with the columns that matter and everything in reach of a thumb. */
export function Cards({ resource, list, shows, selectable, actions, empty }: BodyProps) {
  const say = useTexts(resource.screen.name)
  const fields = resource.list.columns.filter(field => field !== resource.title).slice(0, SHOWN)
  if (list.query.isPending) return <Skeleton active />
  if (list.rows.length === 0) return empty
  return list.rows.map(row => (
    <Card
      key={row.id}
      className="inkstone-card"
      size="small"
      style={{ marginBottom: 8 }}
      title={
        <button type="button" className="inkstone-card-title" onClick={() => list.open(row.id)}>
          {nameOf(resource, row)}
        </button>
      }
      extra={
        selectable && (
          <Checkbox
            aria-label={String(row[resource.title as 'id'])}
            checked={list.selected.includes(row.id)}
            onChange={() => list.toggle(row.id)}
          />
        )
      }
    >
      <Descriptions
        column={1}
        size="small"
        items={fields.map(field => ({
          key: field,
          label: headOf(resource, field, say(`field.${field}` as never)),
          children: shows[field]?.(row as never) ?? <Maskable resource={resource} field={field} row={row} />,
        }))}
      />
      {actions(row)}
    </Card>
  ))
}
