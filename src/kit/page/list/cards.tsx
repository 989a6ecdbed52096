import { Card, Checkbox, Descriptions } from 'antd'
import type { ReactNode } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { Show } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { Row } from './list-state.ts'

/** How many columns a card shows below its title; the rest is in the detail. */
const SHOWN = 5

type Props = {
  resource: Resource
  rows: readonly Row[]
  selected: readonly string[]
  onSelect(id: string): void
  actions(row: Row): ReactNode
}

/** The table below 768 px: one card a row, with the columns that matter and everything in reach of a thumb. */
export function Cards({ resource, rows, selected, onSelect, actions }: Props) {
  const say = useTexts(resource.screen.name)
  const fields = resource.list.columns.filter(field => field !== resource.title).slice(0, SHOWN)
  return rows.map(row => (
    <Card
      key={row.id}
      size="small"
      style={{ marginBottom: 8 }}
      title={<Show resource={resource} field={resource.title} row={row} />}
      extra={<Checkbox aria-label={row.id} checked={selected.includes(row.id)} onChange={() => onSelect(row.id)} />}
    >
      <Descriptions
        column={1}
        size="small"
        items={fields.map(field => ({
          key: field,
          label: say(`field.${field}` as never),
          children: <Show resource={resource} field={field} row={row} />,
        }))}
      />
      {actions(row)}
    </Card>
  ))
}
