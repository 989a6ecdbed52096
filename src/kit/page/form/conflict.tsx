import { Alert, Button, Space, Table } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import type { Shows } from '../detail/detail-drawer.tsx'
import { isMissing, Show } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { locale } from '../locale.ts'

type Props = {
  resource: Resource
  shows: Shows
  mine: Record<string, unknown>
  theirs: Record<string, unknown>
  onTake(): void
  onKeep(): void
}

/** Both versions side by side, so that nobody overwrites a colleague without having seen it. */
export function ConflictNotice({ resource, shows, mine, theirs, onTake, onKeep }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const side = (field: string, value: unknown) => {
    const row = { ...theirs, [field]: value }
    const own = isMissing(value) ? undefined : shows[field]?.(row as never)
    return own ?? <Show resource={resource} field={field} row={row as Row} />
  }
  const rows = resource.edit
    .filter(field => field in theirs && JSON.stringify(mine[field]) !== JSON.stringify(theirs[field]))
    .map(field => ({
      key: field,
      field: say(`field.${field}` as never),
      mine: side(field, mine[field]),
      theirs: side(field, theirs[field]),
    }))
  return (
    <Alert
      type="warning"
      style={{ marginBottom: 16 }}
      title={kit('conflict-title')}
      description={
        <>
          <p>{kit('conflict-text')}</p>
          <Table
            size="small"
            pagination={false}
            dataSource={rows}
            columns={[
              { dataIndex: 'field', title: kit('conflict-field') },
              { dataIndex: 'mine', title: kit('conflict-mine') },
              { dataIndex: 'theirs', title: kit('conflict-theirs') },
            ]}
          />
          <Space style={{ marginTop: 8 }}>
            <Button size="small" onClick={onTake}>
              {kit('conflict-take')}
            </Button>
            <Button size="small" onClick={onKeep}>
              {kit('conflict-keep')}
            </Button>
          </Space>
        </>
      }
    />
  )
}
