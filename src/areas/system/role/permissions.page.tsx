import { LockOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Collapse, Empty, Input, Skeleton, Tooltip } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import {
  type Entry,
  entriesIn,
  entriesOf,
  found,
  type GroupPermissions,
  type PagePermissions,
  type PermissionTree,
  toggled,
} from './permission-tree.model.ts'
import './role.css'

/** All there is to hold; asked once for whoever looks at several roles. */
export const usePermissionTree = () =>
  useQuery({
    queryKey: [resource.screen.name, 'permissions'],
    queryFn: ({ signal }) => get<PermissionTree>(`/${resource.screen.name}/permissions`, { signal }),
  })

type Props = {
  held: ReadonlySet<string>
  /** None where it is only read. */
  onChange?: ((held: Set<string>) => void) | undefined
  id?: string | undefined
}

/** Groups, their pages and what may be done there, to be searched and ticked. */
export function Permissions({ held, onChange, id }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = usePermissionTree()
  const [typed, setTyped] = useState('')
  const [isHeldOnly, setHeldOnly] = useState(onChange === undefined)
  const [open, setOpen] = useState<string[]>()
  const shown = useMemo(() => {
    const seen = found(data ?? [], typed)
    return isHeldOnly ? heldIn(seen, held) : seen
  }, [data, typed, isHeldOnly, held])
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  const toggle = onChange && ((keys: string[], isGiven: boolean) => onChange(toggled(held, data, keys, isGiven)))
  // What is looked for, and what a reader came to see, stands open.
  const isOpened = typed.trim() !== '' || onChange === undefined
  return (
    <div className="role-permissions" id={id}>
      <div className="role-tools">
        <Input.Search
          allowClear
          value={typed}
          placeholder={say('search-permissions')}
          aria-label={say('search-permissions')}
          onChange={event => setTyped(event.target.value)}
          // Searching is no saving.
          onPressEnter={event => event.preventDefault()}
        />
        <Checkbox checked={isHeldOnly} onChange={event => setHeldOnly(event.target.checked)}>
          {say('held-only')}
        </Checkbox>
      </div>
      {shown.length === 0 ? (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={say(held.size === 0 && isHeldOnly ? 'holds-none' : 'nothing-found')}
        />
      ) : (
        <Collapse
          ghost
          size="small"
          activeKey={isOpened && open === undefined ? shown.map(({ key }) => key) : (open ?? [])}
          onChange={keys => setOpen(keys)}
          items={shown.map(group => ({
            key: group.key,
            label: <GroupHead group={whole(data, group)} held={held} toggle={toggle} />,
            children: group.pages.map(page => <PageRow key={page.key} page={page} held={held} toggle={toggle} />),
          }))}
        />
      )}
    </div>
  )
}

/** What is counted and ticked in a group is all of it, whatever is looked for. */
const whole = (tree: PermissionTree, { key, ...group }: GroupPermissions): GroupPermissions =>
  tree.find(known => known.key === key) ?? { key, ...group }

const heldIn = (tree: PermissionTree, held: ReadonlySet<string>): PermissionTree =>
  tree.flatMap(group => {
    const pages = group.pages
      .filter(({ key }) => held.has(key))
      .map(page => ({ ...page, actions: page.actions.filter(({ key }) => held.has(key)) }))
    return pages.length > 0 ? [{ ...group, pages }] : []
  })

type Toggle = ((keys: string[], isGiven: boolean) => void) | undefined
type Standing = { held: ReadonlySet<string>; toggle: Toggle }

function GroupHead({ group, held, toggle }: Standing & { group: GroupPermissions }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const entries = entriesIn(group)
  const count = entries.filter(({ key }) => held.has(key)).length
  const isAll = count === entries.length
  return (
    <>
      {toggle && (
        // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the click from opening and closing the group
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box inside is the control
        <span className="role-group-box" onClick={event => event.stopPropagation()}>
          <Checkbox
            aria-label={group.name}
            checked={isAll}
            indeterminate={count > 0 && !isAll}
            disabled={entries.every(({ isHeld }) => !isHeld)}
            onChange={event =>
              toggle(
                entries.map(({ key }) => key),
                event.target.checked,
              )
            }
          />
        </span>
      )}
      <strong>{group.name}</strong>{' '}
      <span className="inkstone-note">{say('held-of', { held: count, total: entries.length })}</span>
    </>
  )
}

function PageRow({ page, held, toggle }: Standing & { page: PagePermissions }) {
  const entries = entriesOf(page)
  const count = entries.filter(({ key }) => held.has(key)).length
  return (
    <div className="role-page">
      <Tick
        entry={page}
        checked={held.has(page.key)}
        indeterminate={count > 0 && count < entries.length}
        toggle={toggle}
      >
        {page.name}
      </Tick>
      <div className="role-actions">
        {page.actions.map(action => (
          <Tick key={action.key} entry={action} checked={held.has(action.key)} toggle={toggle}>
            {action.name}
          </Tick>
        ))}
        {page.fields.length > 0 && <MaskedFields page={page} />}
      </div>
    </div>
  )
}

type TickProps = {
  entry: Entry
  checked: boolean
  indeterminate?: boolean
  toggle: Toggle
  children: ReactNode
}

/** One permission; what the reader does not hold himself is shown, and locked with the reason. */
function Tick({ entry: { key, isHeld }, checked, indeterminate = false, toggle, children }: TickProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (!toggle) return <span>{children}</span>
  return (
    <Tooltip title={!isHeld && say('not-yours')}>
      <Checkbox
        checked={checked}
        indeterminate={indeterminate}
        disabled={!isHeld}
        // A page that is partly held is given whole first.
        onChange={event => toggle([key], indeterminate || event.target.checked)}
      >
        {children} {!isHeld && <LockOutlined />}
      </Checkbox>
    </Tooltip>
  )
}

/** What this page shows masked, and which right opens it. */
function MaskedFields({ page: { fields, actions } }: { page: PagePermissions }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const names = [...new Set(fields.map(({ name }) => name))].join(' · ')
  const right = fields.find(field => field.right !== null)?.right
  const action = actions.find(({ key }) => key === right)?.name
  return (
    <div className="inkstone-note">
      {say('masked-fields', { names })} – {action ? say('opened-by', { action }) : say('opened-by-nobody')}
    </div>
  )
}
