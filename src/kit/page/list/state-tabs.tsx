import { Tabs } from 'antd'
import { choicesOf } from '#kit/model/field.ts'
import { isTimed, type Resource, schemaIn } from '#kit/model/resource.ts'
import { MISSING } from '../field/show.tsx'
import { formatCount } from '../figures.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useToneColours } from '../tone.tsx'
import { exceptionsOf, isAtExceptions, type ListState, useTabCounts } from './list-state.ts'

type Props = {
  resource: Resource
  field: string
  state: ListState
  onChange(change: Record<string, readonly string[] | undefined>): void
}

/** No state is called so. */
const LATE = '?overdue'
const WRONG = '?exceptions'

/**
 * One tab for all, one for what has waited too long and one for what is wrong, where the declaration says what that is, and one
 * a state, each with how many rows stand in it.
 */
export function StateTabs({ resource, field, state: listed, onChange }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const value = listed.filters[field]
  const { data: counts } = useTabCounts(resource, listed, {})
  const { data: late } = useTabCounts(resource, listed, isTimed(resource) ? { overdue: ['1'] } : undefined)
  const isLate = isTimed(resource) && listed.filters.overdue !== undefined
  const { exceptions } = resource.list
  const { data: wrong } = useTabCounts(resource, listed, exceptions ? exceptionsOf(resource) : undefined)
  const isWrong = isAtExceptions(resource, listed.filters)
  const sumOf = (by: typeof counts) => by && Object.values(by).reduce((sum, n) => sum + n, 0)
  const { attention } = useToneColours()
  const count = (n: number | null | undefined) => (n === undefined ? '' : ` ${n === null ? MISSING : formatCount(n)}`)
  const warning = (name: 'overdue' | 'exceptions', n: number | null | undefined) => (
    <span style={n ? { color: attention.text } : {}}>{`${kit(name)}${count(n)}`}</span>
  )
  return (
    <Tabs
      className="inkstone-tabs"
      activeKey={isLate ? LATE : isWrong ? WRONG : value?.length === 1 ? (value[0] ?? '') : ''}
      onChange={key =>
        onChange({
          [field]: ['', LATE, WRONG].includes(key) ? undefined : [key],
          overdue: key === LATE ? ['1'] : undefined,
          // What somebody has picked of it stays a filter under every other tab.
          ...(exceptions && isWrong ? { [exceptions]: undefined } : {}),
          ...(key === WRONG ? exceptionsOf(resource) : {}),
        })
      }
      items={[
        { key: '', label: `${kit('all')}${count(sumOf(counts))}` },
        // What somebody has to act on is not looked for behind the states that have ended.
        ...(isTimed(resource) ? [{ key: LATE, label: warning('overdue', sumOf(late)) }] : []),
        ...(exceptions ? [{ key: WRONG, label: warning('exceptions', sumOf(wrong)) }] : []),
        ...(resource.list.only?.[field] ?? choicesOf(schemaIn(resource, field))).map(state => ({
          key: state,
          label: `${say(`${field}.${state}`)}${count(counts && (counts[state] ?? 0))}`,
        })),
      ]}
    />
  )
}
