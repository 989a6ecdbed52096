import { InputNumber, Select, Switch } from 'antd'
import { useMemo } from 'react'
import { WHOLE } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { MAX_LINES, type RuleLine } from './rule.model.ts'

/** Somebody who may be given leads, and in which team. */
type Offered = {
  readonly id: string
  readonly name: string
  readonly team: string
  readonly isOn: boolean
  readonly weight: number
}
type Props = {
  value: readonly RuleLine[]
  /** So many there must be. */
  least: 0 | 1
  people: readonly Offered[]
  onChange(lines: RuleLine[]): void
}

/** Who gets the leads of a rule, in which order and how often. */
export function RuleLines({ value, least, people, onChange }: Props) {
  const say = useTexts<typeof locale>('engines/allocation')
  return (
    <Lines
      columns={useColumns(people)}
      value={value}
      onChange={onChange}
      isSorted
      grows={{ blank: blankLine, least, max: MAX_LINES, add: say('line.add') }}
    />
  )
}

const blankLine = (): RuleLine => ({ staffId: '', weight: null, isFallback: false })

function useColumns(offered: readonly Offered[]): Column<RuleLine>[] {
  const say = useTexts<typeof locale>('engines/allocation')
  return useMemo(() => {
    const weightOf = new Map(offered.map(({ id, weight }) => [id, weight]))
    const teams = [...Map.groupBy(offered, ({ team }) => team)]
    const options = teams.map(([label, people]) => ({
      label,
      options: people.map(({ id, name, isOn }) => ({ value: id, label: isOn ? name : say('line.is-off', { name }) })),
    }))
    return [
      {
        name: 'staffId',
        title: say('line.staff'),
        cell: ({ value, given, change }) => (
          <Select
            {...given}
            showSearch={{ optionFilterProp: 'label' }}
            style={{ width: '100%' }}
            value={value === '' ? null : value}
            onChange={change}
            options={options}
          />
        ),
      },
      {
        name: 'weight',
        title: say('line.weight'),
        width: 140,
        cell: ({ value, line, given, change }) => (
          <InputNumber
            {...given}
            min={1}
            max={100}
            {...WHOLE}
            placeholder={say('line.own', { weight: weightOf.get(line.staffId) ?? '' })}
            style={{ width: '100%' }}
            value={value}
            onChange={next => change(next ?? null)}
          />
        ),
      },
      {
        name: 'isFallback',
        title: say('line.fallback'),
        width: 80,
        cell: ({ value, given: { 'aria-label': label }, change }) => (
          <Switch aria-label={label} checked={value} onChange={change} />
        ),
      },
    ]
  }, [offered, say])
}
