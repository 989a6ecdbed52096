import { CheckOutlined, MinusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { get } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { ReferencePicker } from '#kit/page/field/reference-picker.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { namesOf } from './editor.page.tsx'
import { SUPER_ADMIN } from './factor.model.ts'
import type { locale } from './locale.ts'
import { type Role, resource } from './model.ts'
import { entriesIn } from './permission-tree.model.ts'
import { usePermissionTree } from './permissions.page.tsx'
import './role.css'

type Line = { id: string; name: string; sides: [string | boolean, string | boolean] }

/** Two roles side by side: what sets them apart, and on demand what does not. */
export function Compare({ row }: { row: Role }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [other, setOther] = useState('')
  const [isWhole, setWhole] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'compared', other],
    queryFn: ({ signal }) => get<Role>(`/${resource.screen.name}/${other}`, { signal }),
    enabled: other !== '',
  })
  const lines = useLines(row, data)
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  const side =
    (at: 0 | 1) =>
    (_: unknown, { sides }: Line) => <Side value={sides[at]} />
  return (
    <>
      <div className="role-tools">
        <div style={{ flex: '1 1 220px', maxWidth: 360 }}>
          <ReferencePicker
            to="role"
            aria-label={say('compare-with')}
            placeholder={say('compare-with')}
            value={other}
            onChange={setOther}
          />
        </div>
        <Checkbox checked={isWhole} onChange={event => setWhole(event.target.checked)}>
          {say('compare-all')}
        </Checkbox>
      </div>
      {other !== '' && (
        <SmallTable<Line>
          rows={lines?.filter(({ sides: [a, b] }) => isWhole || a !== b)}
          empty={say('compare-same')}
          columns={[
            { title: say('field.permissions'), dataIndex: 'name' },
            { title: row.name, render: side(0) },
            { title: data?.name, render: side(1) },
          ]}
        />
      )}
    </>
  )
}

function useLines(one: Role, other: Role | undefined): Line[] | undefined {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data: tree } = usePermissionTree()
  if (!tree || !other) return undefined
  const holds = ({ code, permissions }: Role) => {
    const held = new Set(permissions)
    return (key: string) => code === SUPER_ADMIN || held.has(key)
  }
  const [first, second] = [holds(one), holds(other)]
  const keys = tree.flatMap(entriesIn).map(({ key }) => key)
  const names = namesOf(tree, keys, say('open'))
  const told = keys
    .map((key, at): Line => ({ id: key, name: names[at] as string, sides: [first(key), second(key)] }))
    .filter(({ sides: [a, b] }) => a || b)
  return [
    { id: '', name: say('field.scope'), sides: [say(`scope.${one.scope}`), say(`scope.${other.scope}`)] },
    ...told,
  ]
}

function Side({ value }: { value: string | boolean }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (typeof value === 'string') return value
  return value ? (
    <CheckOutlined aria-label={say('yes')} style={{ color: 'var(--ant-color-success)' }} />
  ) : (
    <MinusOutlined aria-label={say('no')} style={{ color: 'var(--ant-color-text-quaternary)' }} />
  )
}
