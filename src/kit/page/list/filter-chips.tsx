import { Button, Space, Tag } from 'antd'
import { Suspense, use } from 'react'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { useDictionary } from '../field/dictionary.ts'
import { useLabels } from '../field/reference-picker.tsx'
import { yuanOf } from '../figures.ts'
import { useTexts } from '../language.ts'
import { laterWithTexts } from '../later.tsx'
import type { locale } from '../locale.ts'
import type { FilterBarProps } from './filters.tsx'
import { HeldContext } from './list-context.ts'
import { cleared, isAtExceptions, isSet, type ListState, nameOf, type Row } from './list-state.ts'

type Filters = ListState['filters']

// For lists that have departments at their side.
const DepartmentChip = laterWithTexts(
  'kit/page/side',
  async () => (await import('../side/department-chip.tsx')).DepartmentChip,
)

type Props = Omit<FilterBarProps, 'onQuery'> & { rows: readonly Row[] }

/** What is filtered by, each removable. A tab shows its own field, unless it is filtered by several of its values, or by some of what is wrong. */
export function FilterChips({ resource, state, rows, onFilter }: Props) {
  const say = useTexts<typeof locale>('kit/page')
  const own = useTexts(resource.screen.name)
  // What waits for this person, as a card of the workbench asks for it.
  const [toDo] = state.filters.todo ?? []
  const { tabs, exceptions } = resource.list
  const isChip = (field: string) =>
    field === tabs
      ? (state.filters[field]?.length ?? 0) > 1
      : field !== exceptions || !isAtExceptions(resource, state.filters)
  const set = resource.list.filters.filter(field => isSet(state.filters, field) && isChip(field))
  const [nobody] = state.filters.nobody ?? []
  const { department } = state.filters
  if (set.length === 0 && toDo === undefined && nobody === undefined && department === undefined) return null
  return (
    <Space wrap size={4} style={{ marginBottom: 8 }}>
      {toDo !== undefined && (
        <Tag closable onClose={() => onFilter(cleared('todo'))}>
          {own(`todo.${toDo}`)}
        </Tag>
      )}
      {nobody !== undefined && (
        <Tag closable onClose={() => onFilter(cleared('nobody'))}>
          {say(nobody === 'refused' ? 'phone-unsearched' : 'phone-unknown')}
        </Tag>
      )}
      {department !== undefined && (
        <Suspense>
          <DepartmentChip resource={resource} ids={department} onClose={() => onFilter(cleared('department'))} />
        </Suspense>
      )}
      {set.map(field => (
        <Tag key={field} closable onClose={() => onFilter(cleared(field))}>
          <FilterText resource={resource} field={field} filters={state.filters} rows={rows} />
        </Tag>
      ))}
      <Button
        type="link"
        size="small"
        onClick={() => onFilter(Object.assign({}, ...[...set, 'todo', 'nobody', 'department'].map(cleared)))}
      >
        {say('clear-filters')}
      </Button>
    </Space>
  )
}

/** Nobody knows a record by its id: until its name is there, or where it has none for this person, there is none to read. */
const UNNAMED = '…'

/** A set filter in words: labels instead of codes, amounts in yuan, ranges with their ends. */
function FilterText({
  resource,
  field,
  filters,
  rows,
}: {
  resource: Resource
  field: string
  filters: Filters
  rows: readonly Row[]
}) {
  const say = useTexts(resource.screen.name)
  const kit = useTexts<typeof locale>('kit/page')
  const meta = metaOf(resource, field)
  const offers = use(HeldContext)?.offers
  const isEntry = meta.kind === 'dictionary' || meta.kind === 'tags'
  const entries = useDictionary(isEntry ? meta.code : '')
  const isReference = meta.kind === 'reference'
  const labels = useLabels(isReference ? meta.to : '', isReference ? (filters[field] ?? []) : [])
  const shown = (value: string): string => {
    if (meta.kind === 'money') return yuanOf(value)
    if (meta.kind === 'choice') return say(`${field}.${value}`)
    if (isReference) return labels.find(({ id }) => id === value)?.name ?? UNNAMED
    // Of another record the row knows what it is called.
    if (meta.kind === 'id' && field !== 'id')
      return rows.find(row => row[field as 'id'] === value)?.labels[field]?.name ?? `#${value}`
    if (meta.kind === 'id')
      return (
        nameOf(
          resource,
          rows.find(({ id }) => id === value),
        ) ?? UNNAMED
      )
    const offered = offers?.[field]?.find(one => one.value === value)
    if (offered) return offered.label
    if (isEntry) return entries.find(({ v }) => v === value)?.k ?? (meta.code === '' ? value : UNNAMED)
    if (meta.kind === 'flag') return kit(value === 'true' ? 'yes' : 'no')
    return value
  }
  const [begin, end] = [filters[`${field}Begin`]?.[0], filters[`${field}End`]?.[0]]
  const range = [begin && `≥ ${shown(begin)}`, end && `≤ ${shown(end)}`].filter(Boolean).join(' ')
  const name = say(field === 'id' ? 'record' : `field.${field}`)
  return `${name}: ${range || (filters[field] ?? []).map(shown).join(', ')}`
}
