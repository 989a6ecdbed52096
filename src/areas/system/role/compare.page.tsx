import { CheckOutlined, MinusOutlined } from '@ant-design/icons'
import { useQueries } from '@tanstack/react-query'
import { Flex, Input, Segmented, Switch } from 'antd'
import { useState } from 'react'
import { inOneLine } from '#kit/model/language.ts'
import { get } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { ReferencePicker, useLabels } from '#kit/page/field/reference-picker.tsx'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { SideDrawer } from '#kit/page/side-drawer.tsx'
import { type Compared, compared, isOn, SIDES, type Side } from './comparison.model.ts'
import type { locale } from './locale.ts'
import { type Role, resource } from './model.ts'
import { usePermissionTree } from './permissions.page.tsx'
import './role.css'

type Value = string | boolean
type Line = { id: string; name: string; sides: readonly [Value, Value] }
type Ids = readonly [string, string]

const WIDTH = 860
const SIDE = 72

/** The role that stands open, beside another one. */
export function Compare({ row: { id } }: { row: Role }) {
  const [other, setOther] = useState('')
  return (
    <>
      <RoleInput value={other} onChange={setOther} />
      {other !== '' && <Comparison key={other} ids={[id, other]} />}
    </>
  )
}

type DrawerProps = { ids: Ids; onChange(ids: Ids): void; onClose(): void }

/** Two roles chosen in the list; either may be another one. */
export function CompareDrawer({ ids, onChange, onClose }: DrawerProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [first, second] = ids
  return (
    <SideDrawer open size={WIDTH} onClose={onClose} title={say('compare-two')}>
      <Flex gap={8} wrap>
        <RoleInput value={first} onChange={id => onChange([id, second])} />
        <RoleInput value={second} onChange={id => onChange([first, id])} />
      </Flex>
      {first !== '' && second !== '' && <Comparison key={ids.join()} ids={ids} />}
    </SideDrawer>
  )
}

function RoleInput({ value, onChange }: { value: string; onChange(id: string): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const words = say('compare-with')
  return (
    <div className="role-pick role-tools">
      <ReferencePicker to="role" aria-label={words} placeholder={words} value={value} onChange={onChange} />
    </div>
  )
}

/** What sets them apart, each way by itself, and on demand what does not. */
function Comparison({ ids }: { ids: Ids }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [typed, setTyped] = useState('')
  const [isApart, setApart] = useState(true)
  const [side, setSide] = useState<Side>('DIFFERENT')
  const { names, lines, error, retry } = useLines(ids)
  if (error) return <LoadFailed error={error} onRetry={retry} />
  const wanted = typed.trim().toLowerCase()
  const found = lines?.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(wanted))
  const [one = '', other = ''] = names
  const told = (each: Side) =>
    say(`compare.${each}`, { one, other, count: found?.filter(({ sides }) => isOn(each, sides)).length ?? 0 })
  return (
    <>
      <div className="role-tools">
        <Input.Search
          allowClear
          value={typed}
          placeholder={say('search-permissions')}
          aria-label={say('search-permissions')}
          onChange={event => setTyped(event.target.value)}
        />
        <Flex gap={8} align="center">
          <Switch size="small" checked={isApart} onChange={setApart} aria-label={say('compare-apart')} />
          {say('compare-apart')}
        </Flex>
      </div>
      {isApart && (
        <div className="role-sides">
          <Segmented<Side>
            value={side}
            onChange={setSide}
            options={SIDES.map(each => ({ value: each, label: told(each) }))}
          />
        </div>
      )}
      <SmallTable<Line>
        rows={found?.filter(({ sides }) => !isApart || isOn(side, sides))}
        empty={say(wanted === '' ? 'compare-same' : 'nothing-found')}
        // On a telephone the words break, so that both roles stay in sight.
        scroll={{}}
        columns={[
          { title: say('field.permissions'), dataIndex: 'name' },
          { title: one, minWidth: SIDE, render: (_, { sides: [a] }) => <Shown value={a} /> },
          { title: other, minWidth: SIDE, render: (_, { sides: [, b] }) => <Shown value={b} /> },
        ]}
      />
    </>
  )
}

function useLines(ids: Ids) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const language = useLanguage()
  const tree = usePermissionTree()
  const asked = useQueries({
    queries: ids.map(id => ({
      queryKey: [resource.screen.name, 'compared', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => get<Role>(`/${resource.screen.name}/${id}`, { signal }),
    })),
  })
  const [one, other] = asked.map(({ data }) => data)
  const departments = useLabels('department', [...new Set([one, other].flatMap(role => role?.orgIds ?? []))])
  const failed = [tree, ...asked].find(({ error, data }) => error && !data)
  const scopeOf = ({ scope, orgIds }: Role) => {
    const named = departments.filter(({ id }) => orgIds.includes(id)).map(({ name }) => name)
    return scope === 'CHOSEN' ? `${say('scope.CHOSEN')}: ${inOneLine(language, named)}` : say(`scope.${scope}`)
  }
  const factorOf = ({ secondFactor }: Role) => say(`secondFactor.${secondFactor}`)
  const nameOf = ({ kind, page, name }: Compared) => {
    if (kind === 'FIELD') return say('compare-field', { page, field: name })
    return `${page} · ${kind === 'PAGE' ? say('open') : name}`
  }
  const lines = one &&
    other &&
    tree.data && [
      { id: 'scope', name: say('field.scope'), sides: [scopeOf(one), scopeOf(other)] as const },
      { id: 'factor', name: say('field.secondFactor'), sides: [factorOf(one), factorOf(other)] as const },
      ...compared(tree.data, one, other).map(line => ({ id: line.id, name: nameOf(line), sides: line.sides })),
    ]
  return {
    names: [one?.name, other?.name],
    lines: lines as readonly Line[] | undefined,
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}

function Shown({ value }: { value: Value }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (typeof value === 'string') return value
  return value ? (
    <CheckOutlined aria-label={say('yes')} className="role-yes" />
  ) : (
    <MinusOutlined aria-label={say('no')} className="role-no" />
  )
}
