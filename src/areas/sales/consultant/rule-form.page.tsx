import { DatePicker, Flex, Input } from 'antd'
import type { Rule } from '#engines/allocation/rule.model.ts'
import { RuleLines } from '#engines/allocation/rule-lines.page.tsx'
import { dayIn, useDays } from '#kit/page/field/days.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { Several } from '#kit/page/field/tab-leaves.tsx'
import { useTexts } from '#kit/page/language.ts'
import { Asked } from './asked.page.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { NamedProduct, OfferedConsultant } from './rules.model.ts'

export type Offered = { consultants: readonly OfferedConsultant[]; products: readonly NamedProduct[] }
type Props = Offered & { rule: Rule; onChange(rule: Rule): void }

/** Which leads a rule takes, from when to when, and who gets them. */
export function RuleForm({ rule, onChange, consultants, products }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const days = useDays()
  const [sources, channels] = [useEntries('MEMBER_SOURCE'), useEntries('CHANNEL')]
  const sold = products.map(({ id, name, isOnSale }) => ({
    value: id,
    label: isOnSale ? name : say('rule.is-off-sale', { name }),
  }))
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
          options={sources}
          value={rule.sources}
          onChange={chosen => set({ sources: chosen })}
        />
        <Among
          label={say('rule.channels')}
          options={channels}
          value={rule.channels}
          onChange={chosen => set({ channels: chosen })}
        />
        <Among
          label={say('rule.products')}
          options={sold}
          value={rule.products}
          onChange={chosen => set({ products: chosen })}
        />
      </Flex>
      <RuleLines value={rule.lines} least={1} people={consultants} onChange={lines => set({ lines })} />
    </Flex>
  )
}

type Option = { value: string; label: string }
const useEntries = (code: string): Option[] => useDictionary(code).map(({ k, v }) => ({ value: v, label: k }))

type AmongProps = { label: string; options: Option[]; value: string[]; onChange(value: string[]): void }

/** Some of these, or all of them. */
function Among({ label, options, value, onChange }: AmongProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Asked label={label} grow>
      <Several
        allowClear
        aria-label={label}
        placeholder={say('rule.any')}
        showSearch={{ optionFilterProp: 'label' }}
        style={{ width: '100%' }}
        value={value}
        onChange={onChange}
        options={options}
      />
    </Asked>
  )
}
