import { FilterOutlined } from '@ant-design/icons'
import { Button, Input, Popover, Select, Space } from 'antd'
import { lazy, Suspense } from 'react'
import { daysOf, INTERVALS, type Interval, MAX_BUCKETS } from '#kit/model/statistic.ts'
import { useTexts } from '../language.ts'
import { FilterInput, Labelled } from '../list/filters.tsx'
import type { locale as kitLocale } from '../locale.ts'
import type { locale } from './locale.ts'
import { inSentence, type Shown } from './use-statistic.ts'

// Calendars are heavy; the numbers need not wait for them.
const RangeInput = lazy(async () => ({ default: (await import('./range-input.tsx')).RangeInput }))

/** Which period, in which steps, by what, counted how, and of what part. All of it stands in the address. */
export function FilterLine({ shown }: { shown: Shown }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const { statistic, asked } = shown
  const isOverTime = statistic.dimensions[asked.dimension] === 'time'
  const offered = INTERVALS.filter(interval => interval !== 'day' || daysOf(asked) <= MAX_BUCKETS)
  const bases = Object.keys(statistic.bases)
  return (
    <Space wrap size={8} className="ink-filter-line">
      <Suspense fallback={<Input disabled className="ink-range" />}>
        <RangeInput
          label={kit('range')}
          from={asked.from}
          to={asked.to}
          onChange={(from, to) => shown.change({ from, to, interval: undefined })}
        />
      </Suspense>
      <Select
        aria-label={kit('dimension')}
        style={{ minWidth: 130 }}
        value={asked.dimension}
        options={Object.keys(statistic.dimensions).map(name => ({
          value: name,
          label: kit('by', { name: inSentence(say(`dimension.${name}`)) }),
        }))}
        onChange={dimension => shown.change({ dimension })}
      />
      {statistic.across && (
        <Select
          aria-label={kit('across')}
          style={{ minWidth: 130 }}
          value={asked.across ?? ''}
          options={[
            { value: '', label: kit('across-none') },
            ...statistic.across
              .filter(name => name !== asked.dimension)
              .map(name => ({
                value: name,
                label: kit('across-by', { name: inSentence(say(`dimension.${name}`)) }),
              })),
          ]}
          onChange={across => shown.change({ across: across || undefined })}
        />
      )}
      {isOverTime && (
        <Select<Interval>
          aria-label={kit('interval')}
          value={asked.interval}
          options={offered.map(interval => ({ value: interval, label: kit(`interval.${interval}`) }))}
          onChange={interval => shown.change({ interval })}
        />
      )}
      {bases.length > 1 && (
        <Select<string>
          aria-label={kit('basis')}
          className="ink-basis"
          popupMatchSelectWidth={false}
          value={asked.basis}
          options={bases.map(basis => ({
            value: basis,
            label: say(`base.${basis}`),
            title: say(`about-base.${basis}`),
          }))}
          onChange={basis => shown.change({ basis })}
        />
      )}
      {statistic.filters.length > 0 && <Filters shown={shown} />}
    </Space>
  )
}

function Filters({ shown: { statistic, asked, change } }: { shown: Shown }) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const set = Object.keys(asked.filters).length
  const panel = (
    <div style={{ width: 320, display: 'grid', gap: 12 }}>
      {statistic.filters.map(field => (
        <Labelled key={field} resource={statistic.of} field={field}>
          <FilterInput resource={statistic.of} field={field} filters={asked.filters} onFilter={change} />
        </Labelled>
      ))}
    </div>
  )
  return (
    <Popover content={panel} trigger="click" placement="bottomLeft">
      <Button icon={<FilterOutlined aria-hidden />} color={set > 0 ? 'primary' : 'default'} variant="outlined">
        {kit('more-filters')}
        {set > 0 && ` ${set}`}
      </Button>
    </Popover>
  )
}
