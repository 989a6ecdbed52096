import { Tabs } from 'antd'
import { choicesOf } from '#kit/model/field.ts'
import { formatCount } from '#kit/model/money.ts'
import type { Resource } from '#kit/model/resource.ts'
import { MISSING } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { type ListState, useTabCounts } from './list-state.ts'

type Props = {
  resource: Resource
  field: string
  state: ListState
  onChange(change: Record<string, readonly string[] | undefined>): void
}

/** One tab a state, with how many rows stand in it, and one for all. */
export function StateTabs({ resource, field, state: listed, onChange }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const value = listed.filters[field]
  const { data: counts } = useTabCounts(resource, listed)
  const all = counts && Object.values(counts).reduce((sum, n) => sum + n, 0)
  const count = (n: number | null | undefined) => (n === undefined ? '' : ` ${n === null ? MISSING : formatCount(n)}`)
  return (
    <Tabs
      className="inkstone-tabs"
      activeKey={value?.length === 1 ? (value[0] ?? '') : ''}
      onChange={key => onChange({ [field]: key === '' ? undefined : [key] })}
      items={[
        { key: '', label: `${kit('all')}${count(all)}` },
        ...(resource.list.only?.[field] ?? choicesOf(resource.record.shape[field] as never)).map(state => ({
          key: state,
          label: `${say(`${field}.${state}` as never)}${count(counts && (counts[state] ?? 0))}`,
        })),
      ]}
    />
  )
}
