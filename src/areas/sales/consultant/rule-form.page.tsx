import { DatePicker, Flex, Input, InputNumber, Select, Switch } from 'antd'
import { useMemo } from 'react'
import { MAX_LINES, type Rule, type RuleLine } from '#engines/allocation/rule.model.ts'
import { dayIn, useDays } from '#kit/page/field/days.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { Several } from '#kit/page/field/tab-leaves.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import { Asked } from './asked.page.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { OfferedConsultant } from './rules.model.ts'

type Props = { rule: Rule; onChange(rule: Rule): void; consultants: readonly OfferedConsultant[] }

/** Which leads a rule takes, from when to when, and who gets them. */
export function RuleForm({ rule, onChange, consultants }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const days = useDays()
  const columns = useColumns(consultants)
  const set = (parts: Partial<Rule>) => onChange({ ...rule, ...parts })
  return (
    <Flex vertical gap={12} style={{ marginTop: 16 }}>
      <Flex wrap gap={16}>
        <Asked label={say('rule.name')} grow>
          <Input
            aria-label={say('rule.name')}
            maxLength={50}
            value={rule.name}
            status={rule.name.trim() === '' ? 'error' : ''}
            onChange={event => set({ name: event.target.value })}
          />
        </Asked>
        {(['validFrom', 'validUntil'] as const).map(field => (
          <Asked key={field} label={say(`rule.${field}`)}>
            <DatePicker
              aria-label={say(`rule.${field}`)}
              value={dayIn(days, rule[field] ?? undefined)}
              onChange={day => set({ [field]: day?.format('YYYY-MM-DD') ?? null })}
            />
          </Asked>
        ))}
      </Flex>
      <Flex wrap gap={16}>
        <Among
          label={say('rule.sources')}
          code="MEMBER_SOURCE"
          value={rule.sources}
          onChange={sources => set({ sources })}
        />
        <Among
          label={say('rule.channels')}
          code="CHANNEL"
          value={rule.channels}
          onChange={channels => set({ channels })}
        />
      </Flex>
      <Lines
        columns={columns}
        value={rule.lines}
        onChange={lines => set({ lines })}
        isSorted
        grows={{ blank: blankLine, least: 1, max: MAX_LINES, add: say('line.add') }}
      />
    </Flex>
  )
}

const blankLine = (): RuleLine => ({ staffId: '', weight: null, isFallback: false })

type AmongProps = { label: string; code: string; value: string[]; onChange(value: string[]): void }

/** Some entries of a dictionary, or all of them. */
function Among({ label, code, value, onChange }: AmongProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const entries = useDictionary(code)
  return (
    <Asked label={label} grow>
      <Several
        allowClear
        aria-label={label}
        placeholder={say('rule.any')}
        style={{ width: '100%' }}
        value={value}
        onChange={onChange}
        options={entries.map(({ k, v }) => ({ value: v, label: k }))}
      />
    </Asked>
  )
}

function useColumns(consultants: readonly OfferedConsultant[]): Column<RuleLine>[] {
  const say = useTexts<typeof locale>(resource.screen.name)
  return useMemo(() => {
    const teams = [...Map.groupBy(consultants, ({ team }) => team)]
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
        cell: ({ value, given, change }) => (
          <InputNumber
            {...given}
            min={1}
            max={100}
            precision={0}
            placeholder={say('line.own')}
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
  }, [consultants, say])
}
