import { Tabs } from 'antd'
import { choicesOf } from '#kit/model/field.ts'
import type { Resource } from '#kit/model/resource.ts'
import { MISSING } from '../field/show.tsx'
import { formatCount } from '../figures.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useToneColours } from '../tone.tsx'
import { type ListState, useTabCounts } from './list-state.ts'

type Props = {
  resource: Resource
  field: string
  state: ListState
  onChange(change: Record<string, readonly string[] | undefined>): void
}

/** No state is called so. */
const LATE = '?overdue'

/** One tab for all, one for what has waited too long where the declaration says how long that is, and one a state, each with how many rows stand in it. */
export function StateTabs({ resource, field, state: listed, onChange }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const value = listed.filters[field]
  const { data: counts } = useTabCounts(resource, listed, 'all')
  const isTimed = resource.clock?.hours !== undefined
  const { data: late } = useTabCounts(resource, listed, isTimed ? 'overdue' : undefined)
  const isLate = isTimed && listed.filters.overdue !== undefined
  const sumOf = (by: typeof counts) => by && Object.values(by).reduce((sum, n) => sum + n, 0)
  const { attention } = useToneColours()
  const lateCount = sumOf(late)
  const count = (n: number | null | undefined) => (n === undefined ? '' : ` ${n === null ? MISSING : formatCount(n)}`)
  return (
    <Tabs
      className="inkstone-tabs"
      activeKey={isLate ? LATE : value?.length === 1 ? (value[0] ?? '') : ''}
      onChange={key =>
        onChange({
          [field]: key === '' || key === LATE ? undefined : [key],
          overdue: key === LATE ? ['1'] : undefined,
        })
      }
      items={[
        { key: '', label: `${kit('all')}${count(sumOf(counts))}` },
        // What somebody has to act on is not looked for behind the states that have ended.
        ...(isTimed
          ? [
              {
                key: LATE,
                label: (
                  <span
                    style={lateCount ? { color: attention.text } : {}}
                  >{`${kit('overdue')}${count(lateCount)}`}</span>
                ),
              },
            ]
          : []),
        ...(resource.list.only?.[field] ?? choicesOf(resource.record.shape[field] as never)).map(state => ({
          key: state,
          label: `${say(`${field}.${state}` as never)}${count(counts && (counts[state] ?? 0))}`,
        })),
      ]}
    />
  )
}
