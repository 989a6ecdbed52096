import { PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { App, Button, Empty, Grid, Pagination, Result, Space, Table, Tabs, Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { PAGE_SIZES } from '#kit/model/contract.ts'
import { choicesOf } from '#kit/model/field.ts'
import type { Resource, RowOf, Shape } from '#kit/model/resource.ts'
import { remove } from '../call.ts'
import { DetailDrawer, type Shows } from '../detail/detail-drawer.tsx'
import { FormDrawer, type Inputs } from '../form/form-drawer.tsx'
import { hasText, useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.ts'
import { useSettings } from '../settings.ts'
import { type AnyWorkflow, StepButtons, type StepResult, useSteps } from '../step.tsx'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'
import { BulkBar, BulkResults } from './bulk-bar.tsx'
import { Cards } from './cards.tsx'
import { ColumnSettings, headComponents, useColumns } from './columns.tsx'
import { DensityButton } from './density.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar, FilterChips } from './filters.tsx'
import { useListKeys } from './keyboard.ts'
import { type Row, useListState, useReload, useRows, useTabCounts } from './list-state.ts'
import { RowActions, type RowLink } from './row-actions.tsx'
import { useEdited } from './use-edited.ts'
import '../kit.css'

export type ListPageProps<S extends Shape> = {
  resource: Resource<S>
  workflow?: AnyWorkflow | object
  /** Inputs of its own, by field. */
  inputs?: Inputs
  /** What the detail shows in its own way, by field. */
  shows?: Shows
  /** Where else a row leads. */
  links?(row: RowOf<Resource<S>>): readonly RowLink[]
}

/** A whole screen from a declaration: tabs with counts, filters, table, drawers, bulk actions and export. */
export function ListPage<S extends Shape>(props: ListPageProps<S>) {
  const resource = props.resource as unknown as Resource
  const workflow = props.workflow as AnyWorkflow | undefined
  const links = (row: Row) => props.links?.(row as never) ?? []
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const tab = useTab()
  const user = useUser()
  const notices = useNotices()
  const { modal } = App.useApp()
  const narrow = Grid.useBreakpoint().md === false
  const density = useSettings(({ density }) => density)
  const state = useListState()
  const list = useRows(resource, state)
  const columns = useColumns(resource, state)
  const reload = useReload(resource)
  const [selected, setSelected] = useState<readonly string[]>([])
  const [cursor, setCursor] = useState(-1)
  const [results, setResults] = useState<readonly StepResult[]>()
  const edited = useEdited(resource, tab.search.get('edit') ?? undefined)

  const rows = list.data?.records ?? []
  const total = list.data?.total ?? 0
  const may = (action: string) => resource.actions.includes(action) && mayDo(user, resource.screen.key, action)
  const openId = tab.search.get('open') ?? undefined
  const at = rows.findIndex(({ id }) => id === openId)
  const open = (id: string | undefined) => tab.change({ open: id }, 'push')
  const changed = () => {
    setSelected([])
    reload()
  }
  const steps = useSteps(resource, workflow, many => {
    if (many) setResults(many)
    changed()
  })

  useEffect(function leaveEmptyLastPage() {
    if (list.isSuccess && !list.isPlaceholderData && rows.length === 0 && total > 0 && state.current > 1) {
      state.set({ current: Math.max(1, Math.ceil(total / state.size)) })
    }
  })

  const removeRows = (ids: readonly string[]) =>
    modal.confirm({
      title:
        ids.length === 1 ? kit('delete') : kit('delete-many', { count: ids.length, record: say('record' as never) }),
      content: kit('delete-ask'),
      okText: kit('delete'),
      okButtonProps: { danger: true },
      cancelText: kit('cancel'),
      async onOk() {
        try {
          await remove(`/${resource.screen.name}/${ids.join(',')}`)
          notices.done(kit('deleted-ok'))
          changed()
        } catch (error) {
          notices.failed(error, kit('delete-failed'))
        }
      },
    })

  useListKeys(tab.shown && openId === undefined, {
    move: by => setCursor(Math.min(rows.length - 1, Math.max(0, cursor + by))),
    select: () => rows[cursor] && toggle(rows[cursor].id),
    open: () => rows[cursor] && open(rows[cursor].id),
    edit: () => rows[cursor] && may('update') && tab.change({ edit: rows[cursor].id }, 'push'),
  })
  const toggle = (id: string) =>
    setSelected(selected.includes(id) ? selected.filter(other => other !== id) : [...selected, id])

  const rowActions = (row: Row) => (
    <RowActions
      resource={resource}
      workflow={workflow}
      row={row}
      links={links(row)}
      may={{ update: may('update'), delete: may('delete') }}
      on={{
        step: name => steps(name, [row.id]),
        open: () => open(row.id),
        edit: () => tab.change({ edit: row.id }, 'push'),
        remove: () => removeRows([row.id]),
        follow: tab.open,
      }}
    />
  )

  const selectable = workflow !== undefined || may('delete')
  const creating = tab.search.get('create') !== null && may('create')
  return (
    <div className="inkstone-list">
      {resource.list.tabs && (
        <StateTabs
          resource={resource}
          field={resource.list.tabs}
          value={state.filters[resource.list.tabs]}
          onChange={state.filter}
        />
      )}
      <div className="inkstone-bar">
        <FilterBar resource={resource} state={state} onQuery={query => state.set({ query })} onFilter={state.filter} />
        <Space size={8}>
          {may('create') && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => tab.change({ create: '1' }, 'push')}>
              {kit('add')}
            </Button>
          )}
          {may('export') && <ExportButton resource={resource} state={state} />}
          <Tooltip title={kit('refresh')}>
            <Button aria-label={kit('refresh')} icon={<ReloadOutlined />} onClick={reload} />
          </Tooltip>
          <DensityButton />
          <ColumnSettings resource={resource} />
        </Space>
      </div>
      <FilterChips resource={resource} state={state} onFilter={state.filter} />
      {selected.length > 0 && (
        <BulkBar
          resource={resource}
          workflow={workflow}
          count={selected.length}
          on={{ step: name => steps(name, selected), remove: () => removeRows(selected), clear: () => setSelected([]) }}
        />
      )}
      {list.isError ? (
        <Result
          status="warning"
          title={kit('load-failed')}
          subTitle={list.error.message}
          extra={<Button onClick={() => list.refetch()}>{kit('try-again')}</Button>}
        />
      ) : narrow ? (
        <Cards resource={resource} rows={rows} selected={selected} onSelect={toggle} actions={rowActions} />
      ) : (
        <Table<Row>
          rowKey="id"
          size={density}
          className="inkstone-table"
          loading={list.isPending}
          aria-busy={list.isFetching}
          components={headComponents}
          columns={[
            ...columns,
            {
              key: 'actions',
              title: kit('row-actions'),
              fixed: 'end',
              width: workflow ? 210 : 130,
              render: (_, row) => rowActions(row),
            },
          ]}
          dataSource={rows}
          scroll={{ x: 'max-content' }}
          pagination={false}
          rowClassName={(_, index) => (index === cursor ? 'inkstone-cursor' : '')}
          locale={{
            emptyText: (
              <EmptyList resource={resource} filtered={state.query !== '' || Object.keys(state.filters).length > 0} />
            ),
          }}
          {...(selectable
            ? {
                rowSelection: {
                  selectedRowKeys: [...selected],
                  preserveSelectedRowKeys: true,
                  onChange: keys => setSelected(keys.map(String)),
                },
              }
            : {})}
          onChange={(_page, _filters, sorter) => {
            const { field, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
            state.set({ sort: order ? `${String(field)}:${order === 'ascend' ? 'asc' : 'desc'}` : '' })
          }}
          onRow={row => ({ onDoubleClick: () => open(row.id) })}
        />
      )}
      <Pagination
        style={{ marginTop: 12, justifyContent: 'flex-end' }}
        size="small"
        current={state.current}
        pageSize={state.size}
        total={total}
        pageSizeOptions={[...PAGE_SIZES]}
        showSizeChanger
        showTotal={(all, [from, to]) => kit('total-of', { from, to, total: all })}
        onChange={(current, size) => state.set({ current: size === state.size ? current : 1, size })}
      />
      <DetailDrawer
        resource={resource}
        shows={props.shows ?? {}}
        id={openId}
        onClose={() => open(undefined)}
        onPrevious={at > 0 ? () => open(rows[at - 1]?.id) : undefined}
        onNext={at >= 0 && at < rows.length - 1 ? () => open(rows[at + 1]?.id) : undefined}
        actions={row => (
          <>
            {workflow && (
              <StepButtons resource={resource} workflow={workflow} row={row} onStep={name => steps(name, [row.id])} />
            )}
            {links(row).map(({ text, path }) => (
              <Button key={path} onClick={() => tab.open(path)}>
                {text}
              </Button>
            ))}
            {may('update') && <Button onClick={() => tab.change({ edit: row.id }, 'push')}>{kit('edit')}</Button>}
          </>
        )}
      />
      <FormDrawer
        resource={resource}
        inputs={props.inputs ?? {}}
        record={creating ? undefined : edited}
        initial={initialValues(resource, tab.search)}
        open={creating || edited !== undefined}
        onClose={() =>
          tab.change({ create: undefined, edit: undefined, ...(creating ? blanks(resource) : {}) }, 'push')
        }
        onDone={changed}
      />
      {results && <BulkResults results={results} onClose={() => setResults(undefined)} />}
    </div>
  )
}

/** A link may open the form with fields already filled: `?create=1&with.orderId=5`. */
const initialValues = (resource: Resource, search: URLSearchParams) =>
  Object.fromEntries(
    resource.create.flatMap(field => (search.has(`with.${field}`) ? [[field, search.get(`with.${field}`)]] : [])),
  )
const blanks = (resource: Resource) => Object.fromEntries(resource.create.map(field => [`with.${field}`, undefined]))

type StateTabsProps = {
  resource: Resource
  field: string
  value: readonly string[] | undefined
  onChange(change: Record<string, readonly string[] | undefined>): void
}

function StateTabs({ resource, field, value, onChange }: StateTabsProps) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const { data: counts } = useTabCounts(resource)
  const all = counts && Object.values(counts).reduce((sum, n) => sum + n, 0)
  const count = (n: number | undefined) => (n === undefined ? '' : ` ${n}`)
  return (
    <Tabs
      className="inkstone-tabs"
      activeKey={value?.length === 1 ? (value[0] ?? '') : ''}
      onChange={key => onChange({ [field]: key === '' ? undefined : [key] })}
      items={[
        { key: '', label: `${kit('all')}${count(all)}` },
        ...choicesOf(resource.record.shape[field] as never).map(state => ({
          key: state,
          label: `${say(`${field}.${state}` as never)}${counts ? count(counts[state] ?? 0) : ''}`,
        })),
      ]}
    />
  )
}

function EmptyList({ resource, filtered }: { resource: Resource; filtered: boolean }) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const text = !filtered && hasText(resource.screen.name, 'empty') ? say('empty' as never) : kit('empty-filtered')
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text} />
}
