import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, DatePicker, Empty, Flex, InputNumber, Segmented, Space, Typography } from 'antd'
import { MAX_RULES, type Rule, type RuleSet } from '#engines/allocation/rule.model.ts'
import { useDays } from '#kit/page/field/days.ts'
import { useTexts } from '#kit/page/language.ts'
import { Asked } from './asked.page.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { type Offered, RuleForm } from './rule-form.page.tsx'

type Props = Offered & {
  set: RuleSet
  onChange(set: RuleSet): void
  /** The key of the rule that is open. */
  chosen: string | undefined
  choose(key: string | undefined): void
}

/** All rules in their order, one of them open. */
export function RuleEditor({ set, onChange, chosen, choose, ...offered }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const days = useDays()
  const at = set.rules.findIndex(({ key }) => key === chosen)
  const rule = set.rules[at]
  const put = (rules: Rule[]) => onChange({ ...set, rules })
  const add = () => {
    const made = blankRule(say('rule-new'))
    put([...set.rules, made])
    choose(made.key)
  }
  const move = (by: -1 | 1) => rule && put(set.rules.toSpliced(at, 1).toSpliced(at + by, 0, rule))
  const remove = () => {
    const rules = set.rules.toSpliced(at, 1)
    put(rules)
    choose(rules[Math.min(at, rules.length - 1)]?.key)
  }
  return (
    <>
      <Typography.Paragraph type="secondary">{say('rules-help')}</Typography.Paragraph>
      <Flex wrap gap={8} align="center">
        {rule && (
          <Segmented
            value={rule.key}
            onChange={choose}
            options={set.rules.map(({ key, name }, nth) => ({ value: key, label: `${nth + 1}. ${name}` }))}
          />
        )}
        <Button icon={<PlusOutlined />} onClick={add} disabled={set.rules.length >= MAX_RULES}>
          {say('rule-add')}
        </Button>
        {rule && (
          <Space.Compact>
            <Button
              icon={<ArrowUpOutlined />}
              aria-label={say('rule-up')}
              disabled={at === 0}
              onClick={() => move(-1)}
            />
            <Button
              icon={<ArrowDownOutlined />}
              aria-label={say('rule-down')}
              disabled={at === set.rules.length - 1}
              onClick={() => move(1)}
            />
            <Button danger icon={<DeleteOutlined />} aria-label={say('rule-remove')} onClick={remove} />
          </Space.Compact>
        )}
      </Flex>
      {rule ? (
        <RuleForm key={rule.key} rule={rule} {...offered} onChange={next => put(set.rules.with(at, next))} />
      ) : (
        <Empty description={say('none-in-force')} />
      )}
      <Flex wrap gap={16} style={{ marginTop: 16 }}>
        <Asked label={say('set.holidays')} grow>
          <DatePicker
            multiple
            aria-label={say('set.holidays')}
            style={{ width: '100%' }}
            value={set.holidays.map(day => days(day))}
            onChange={(_, texts) => onChange({ ...set, holidays: [texts].flat().flatMap(text => text || []) })}
          />
        </Asked>
        <Asked label={say('set.warnMinutes')}>
          <InputNumber
            aria-label={say('set.warnMinutes')}
            min={1}
            max={1_440}
            precision={0}
            value={set.warnMinutes}
            onChange={value => onChange({ ...set, warnMinutes: value ?? 15 })}
          />
        </Asked>
      </Flex>
    </>
  )
}

/** Takes whatever the rules before it leave, until more is said of it. */
export const blankRule = (name: string): Rule => ({
  key: crypto.randomUUID(),
  name,
  sources: [],
  channels: [],
  products: [],
  validFrom: null,
  validUntil: null,
  lines: [],
})
