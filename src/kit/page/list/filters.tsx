import { FilterOutlined } from '@ant-design/icons'
import { Button, Grid, Input, Popover, Select, Space } from 'antd'
import { lazy, type ReactNode, Suspense, use } from 'react'
import { phoneBelow } from '#kit/model/child.ts'
import { MAX_DICTIONARY_TAGS } from '#kit/model/contract.ts'
import { choicesOf } from '#kit/model/field.ts'
import { metaOf, type Resource, schemaIn } from '#kit/model/resource.ts'
import { useDictionary } from '../field/dictionary.ts'
import { ReferencesPicker } from '../field/reference-picker.tsx'
import { Several, TabLeaves } from '../field/tab-leaves.tsx'
import { parseYuan, readWhole, yuanOf } from '../figures.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useFiltersOnBar } from './filters-on-bar.ts'
import { HeldContext } from './list-context.ts'
import { isSet, type ListState } from './list-state.ts'
import { SearchBox } from './search-box.tsx'

type Filters = ListState['filters']
export type FilterBarProps = {
  resource: Resource
  state: ListState
  onQuery(query: string): void
  onFilter(change: Record<string, readonly string[] | undefined>): void
  /** What stands beside the search. */
  children?: ReactNode
}

// Few lists are filtered by a record of a tree.
const TreesPicker = lazy(async () => ({ default: (await import('../tree/tree-picker.tsx')).TreesPicker }))

const PAIRED: ReadonlySet<string> = new Set(['money', 'number'])

/** One line: search, the filters people use most, the rest behind a button, and what is set as chips. */
export function FilterBar({
  resource,
  state,
  onQuery,
  onFilter,
  onRefused,
  children,
}: FilterBarProps & { onRefused(reason: string): void }) {
  const say = useTexts<typeof locale>('kit/page')
  const { count, box } = useFiltersOnBar()
  // One record is filtered by where a number led to it, and not typed by its id.
  const offered = resource.list.filters.filter(
    field => field !== resource.list.tabs && metaOf(resource, field).kind !== 'id',
  )
  // From and to take two boxes: they have room in the panel only.
  const narrow = Grid.useBreakpoint().md === false
  const onBar = narrow ? [] : offered.filter(field => !PAIRED.has(metaOf(resource, field).kind)).slice(0, count)
  const rest = offered.filter(field => !onBar.includes(field))
  const set = rest.filter(field => isSet(state.filters, field)).length
  const panel = (
    <div className="inkstone-filters">
      {rest.map(field => (
        <Labelled key={field} resource={resource} field={field}>
          <FilterInput resource={resource} field={field} filters={state.filters} onFilter={onFilter} />
        </Labelled>
      ))}
    </div>
  )
  return (
    <Space ref={box} size={8}>
      {(resource.list.search.length > 0 || (resource.at !== undefined && phoneBelow(resource) !== undefined)) && (
        <SearchBox
          resource={resource}
          query={state.query}
          onQuery={onQuery}
          onFilter={onFilter}
          onRefused={onRefused}
        />
      )}
      {children}
      {onBar.map(field => (
        <FilterInput key={field} resource={resource} field={field} filters={state.filters} onFilter={onFilter} bar />
      ))}
      {rest.length > 0 && (
        // Where the window is no wider than the panel it is moved into it.
        <Popover content={panel} trigger="click" placement="bottomLeft" align={{ overflow: { shiftX: 8 } }}>
          <Button icon={<FilterOutlined aria-hidden />} color={set > 0 ? 'primary' : 'default'} variant="outlined">
            {say('more-filters')}
            {set > 0 && ` ${set}`}
          </Button>
        </Popover>
      )}
    </Space>
  )
}

export function Labelled({ resource, field, children }: { resource: Resource; field: string; children: ReactNode }) {
  const say = useTexts(resource.screen.name)
  return (
    <div>
      <div style={{ marginBottom: 4, fontSize: 13 }}>{say(`field.${field}`)}</div>
      {children}
    </div>
  )
}

type FilterInputProps = {
  resource: Resource
  field: string
  filters: Filters
  onFilter: FilterBarProps['onFilter']
  bar?: boolean
}

export function FilterInput(props: FilterInputProps) {
  const { resource, field, filters, onFilter, bar } = props
  const say = useTexts(resource.screen.name)
  const kit = useTexts<typeof locale>('kit/page')
  const meta = metaOf(resource, field)
  const name = say(`field.${field}`)
  const common = {
    'aria-label': name,
    ...(bar ? { placeholder: name } : {}),
    style: bar ? { minWidth: roomFor(name) } : { width: '100%' },
  }
  const change = (values: readonly string[]) => onFilter({ [field]: values.length > 0 ? values : undefined })
  switch (meta.kind) {
    case 'choice': {
      const options = choicesOf(schemaIn(resource, field)).map(value => ({
        value,
        label: say(`${field}.${value}`),
      }))
      return (
        <Several
          {...common}
          maxTagCount="responsive"
          allowClear
          options={options}
          value={[...(filters[field] ?? [])]}
          onChange={change}
        />
      )
    }
    case 'dictionary':
    case 'tags':
      return (
        <DictionaryFilter
          {...common}
          field={field}
          code={meta.code}
          value={[...(filters[field] ?? [])]}
          onChange={change}
        />
      )
    case 'reference': {
      const Picker = meta.treeOf === undefined ? ReferencesPicker : TreesPicker
      return <Picker {...common} to={meta.to} value={[...(filters[field] ?? [])]} onChange={change} />
    }
    case 'flag': {
      const options = [
        { value: 'true', label: kit('yes') },
        { value: 'false', label: kit('no') },
      ]
      return (
        <TabLeaves>
          <Select
            {...common}
            allowClear
            options={options}
            value={filters[field]?.[0]}
            onChange={value => change(value ? [value] : [])}
          />
        </TabLeaves>
      )
    }
    case 'instant':
    case 'day':
      return <DayRange {...props} />
    case 'money':
    case 'number':
      return <AmountRange {...props} isMoney={meta.kind === 'money'} />
    default:
      return (
        <TextFilter {...common} value={filters[field]?.[0] ?? ''} onChange={value => change(value ? [value] : [])} />
      )
  }
}

const NARROW = 112
const WIDE = 160
/** Of the box besides its words: edges, and the arrow. */
const BOX = 48

/** What an empty filter needs to say its name whole: in Chinese a sign takes the room of two letters. */
const roomFor = (name: string): number =>
  Math.min(WIDE, Math.max(NARROW, BOX + [...name].reduce((sum, sign) => sum + (sign > '\u2e7f' ? 14 : 8.2), 0)))

function DictionaryFilter({
  field,
  code,
  ...select
}: {
  field: string
  code: string
  value: string[]
  onChange(values: string[]): void
  style: object
}) {
  const entries = useDictionary(code).map(({ k, v }) => ({ value: v, label: k }))
  const offered = use(HeldContext)?.offers[field]
  // Names nobody offers are typed.
  const mode = code === '' && !offered ? 'tags' : 'multiple'
  return (
    <Several
      {...select}
      mode={mode}
      maxTagCount={MAX_DICTIONARY_TAGS}
      allowClear
      options={offered ? [...offered] : entries}
      {...(offered ? { optionFilterProp: 'label', popupMatchSelectWidth: false } : {})}
    />
  )
}

function TextFilter({ value, onChange, ...input }: { value: string; onChange(value: string): void; style: object }) {
  return (
    <Input.Search {...input} key={value} defaultValue={value} allowClear onSearch={text => onChange(text.trim())} />
  )
}

const LazyDayRange = lazy(async () => ({ default: (await import('./day-range.tsx')).DayRange }))

function DayRange({ resource, field, filters, onFilter, bar }: FilterInputProps) {
  const say = useTexts(resource.screen.name)
  const set = (value: string | undefined) => (value === undefined ? undefined : [value])
  return (
    <Suspense fallback={<Input disabled />}>
      <LazyDayRange
        width={bar ? 232 : '100%'}
        label={say(`field.${field}`)}
        begin={filters[`${field}Begin`]?.[0]}
        end={filters[`${field}End`]?.[0]}
        onChange={(begin, end) => onFilter({ [`${field}Begin`]: set(begin), [`${field}End`]: set(end) })}
      />
    </Suspense>
  )
}

/** From and to, in yuan or in plain numbers. */
function AmountRange({ field, filters, onFilter, isMoney }: FilterInputProps & { isMoney: boolean }) {
  const say = useTexts<typeof locale>('kit/page')
  const edge = (suffix: 'Begin' | 'End') => {
    const value = filters[field + suffix]?.[0]
    const shown = value === undefined ? '' : isMoney ? yuanOf(value) : value
    return (
      <TextFilter
        style={{ width: '50%' }}
        {...{
          'aria-label': say(suffix === 'Begin' ? 'begin' : 'end'),
          placeholder: say(suffix === 'Begin' ? 'begin' : 'end'),
          ...(isMoney ? { prefix: '¥' } : {}),
        }}
        value={shown}
        onChange={text => {
          const amount = isMoney ? parseYuan(text) : readWhole(text)
          onFilter({ [field + suffix]: amount === undefined ? undefined : [String(amount)] })
        }}
      />
    )
  }
  return (
    <Space.Compact block>
      {edge('Begin')}
      {edge('End')}
    </Space.Compact>
  )
}
