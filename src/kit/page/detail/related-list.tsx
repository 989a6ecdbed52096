import { Button } from 'antd'
import { useState } from 'react'
import { metaOf, type Resource, type Shape } from '#kit/model/resource.ts'
import { headOf, Show } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import { type Row, useRows } from '../list/list-state.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale } from '../locale.ts'
import { recordPath } from '../screens.ts'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'
import type { RelatedTab } from './related.ts'
import { SmallTable } from './small-table.tsx'

type Props<S extends Shape> = {
  resource: Resource<S>
  /** What ties the rows to the record they are shown with: `{ memberId: '5' }`. */
  filter: Readonly<Record<string, string>>
  columns: readonly Extract<keyof S, string>[]
}

/** The list of this resource as a tab of what the field `by` points at. */
export const relatedTab = <S extends Shape>(
  resource: Resource<S>,
  {
    order,
    title,
    by,
    columns,
  }: Pick<RelatedTab, 'order' | 'title'> & Pick<Props<S>, 'columns'> & { by: Extract<keyof S, string> },
): RelatedTab => ({
  order,
  key: resource.screen.key,
  texts: resource.screen.name,
  title,
  show: id => <RelatedList resource={resource} filter={{ [by]: id }} columns={columns} />,
})

const SIZE = 10

/** Records of another resource that belong to this one, by that resource's own list: its scope and its masks hold. */
function RelatedList<S extends Shape>({ filter, columns, ...props }: Props<S>) {
  const resource: Resource = props.resource
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const tab = useTab()
  const mayOpen = useUser(user => mayDo(user, resource.screen.key, 'detail'))
  const [current, setCurrent] = useState(1)
  const filters = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, [value]]))
  const { data, error, refetch } = useRows(resource, {
    current,
    size: SIZE,
    sort: undefined,
    query: '',
    filters,
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  const open = (row: Row) => tab.open(recordPath(resource.screen.route, row.id))
  return (
    <SmallTable<Row>
      className="inkstone-table"
      rows={data?.records}
      page={{ current, size: SIZE, total: data?.total ?? 0, onChange: setCurrent }}
      {...(mayOpen && { onRow: row => ({ onClick: () => open(row), style: { cursor: 'pointer' } }) })}
      columns={[
        ...columns.map(field => ({
          key: field,
          title: headOf(resource, field, say(`field.${field}`)),
          align: ['money', 'number'].includes(metaOf(resource, field).kind) ? ('right' as const) : ('left' as const),
          render: (_: unknown, row: Row) => <Show resource={resource} field={field} row={row} brief />,
        })),
        ...(mayOpen
          ? [
              {
                key: 'open',
                fixed: 'end' as const,
                render: (_: unknown, row: Row) => (
                  <Button
                    type="link"
                    size="small"
                    onClick={event => {
                      event.stopPropagation()
                      open(row)
                    }}
                  >
                    {kit('view')}
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}
