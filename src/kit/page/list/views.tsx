import { BookOutlined, MoreOutlined, StarFilled, TeamOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown, Input, type MenuProps, Popover, Space, Tooltip } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { get, post, put, remove } from '../call.ts'
import { useTexts } from '../language.ts'
import { useNotices } from '../notice.tsx'
import { changePreference } from '../preference.ts'
import { useQuestion } from '../question.ts'
import { useTab } from '../tab.ts'
import type { locale } from '../views/locale.ts'
import { type ChosenView, parametersOf, preferenceOf, useChosenView, viewOf } from './begin-view.ts'
import '../views/views.css'

type View = {
  readonly id: string
  readonly name: string
  readonly query: string
  readonly isShared: boolean
  readonly isMine: boolean
  readonly by: string
}
type Views = { readonly views: readonly View[]; readonly mayShare: boolean }

/** Names for what a list shows: one's own, and those colleagues share. */
export function ViewsMenu({ resource }: { resource: Resource }) {
  const say = useTexts<typeof locale>('kit/page/views')
  const tab = useTab()
  const [open, setOpen] = useState(false)
  const chosen = useChosenView(resource)
  const shown = viewOf(tab.search)
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'views'],
    queryFn: ({ signal }) => get<Views>('/common/view', { query: { page: resource.screen.key }, signal }),
    // Nobody asks for their names while the list shows everything.
    enabled: open || shown !== '' || chosen !== undefined,
  })
  useFollowedView(resource, data, chosen)
  const active = shown === '' ? undefined : data?.views.find(({ query }) => query === shown)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomLeft"
      content={
        <div className="inkstone-views">
          {data && (
            <ViewLists resource={resource} data={data} shown={shown} chosen={chosen} onApplied={() => setOpen(false)} />
          )}
        </div>
      }
    >
      <Button
        icon={<BookOutlined aria-hidden />}
        color={active ? 'primary' : 'default'}
        variant="outlined"
        title={say('views')}
        {...(active ? {} : { 'aria-label': say('views') })}
      >
        {active?.name}
      </Button>
    </Popover>
  )
}

/** The view a list begins with is the one its owner keeps: changed there, it changes here; gone there, it is gone. */
function useFollowedView(resource: Resource, data: Views | undefined, chosen: ChosenView | undefined): void {
  useEffect(
    function followChosenView() {
      if (!data || !chosen) return
      const view = data.views.find(({ id }) => id === chosen.id)
      if (view?.query !== chosen.query)
        void changePreference(preferenceOf(resource), view ? { id: view.id, query: view.query } : null).catch(() => {})
    },
    [resource, data, chosen],
  )
}

type ListsProps = {
  resource: Resource
  data: Views
  /** What the list shows now. */
  shown: string
  chosen: ChosenView | undefined
  onApplied(): void
}

function ViewLists({ resource, data, shown, chosen, onApplied }: ListsProps) {
  const say = useTexts<typeof locale>('kit/page/views')
  const tab = useTab()
  const groups = [
    { title: say('mine'), views: data.views.filter(({ isMine }) => isMine) },
    { title: say('shared'), views: data.views.filter(({ isMine }) => !isMine) },
  ].filter(({ views }) => views.length > 0)
  const apply = (view: View) => {
    const cleared = Object.fromEntries([...tab.search.keys()].map(name => [name, undefined]))
    tab.change({ ...cleared, ...parametersOf(view.query) })
    onApplied()
  }
  const isKept = data.views.some(({ isMine, query }) => isMine && query === shown)
  return (
    <>
      {groups.map(({ title, views }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {views.map(view => (
              <ViewRow
                key={view.id}
                {...{ resource, view, shown, mayShare: data.mayShare }}
                isChosen={view.id === chosen?.id}
                onApply={() => apply(view)}
              />
            ))}
          </ul>
        </section>
      ))}
      {shown === '' && groups.length === 0 && <span className="inkstone-note">{say('empty')}</span>}
      {shown !== '' && !isKept && <NewView resource={resource} query={shown} />}
    </>
  )
}

/** Sends a change of the views, one at a time, and asks for them anew; says what was refused. */
function useViewChange(resource: Resource): (work: () => Promise<unknown>, done?: string) => Promise<boolean> {
  const say = useTexts<typeof locale>('kit/page/views')
  const notices = useNotices()
  const client = useQueryClient()
  const isSending = useRef(false)
  return async (work, done) => {
    if (isSending.current) return false
    isSending.current = true
    try {
      await work()
      if (done) notices.done(done)
      await client.invalidateQueries({ queryKey: [resource.screen.name, 'views'] })
      return true
    } catch (error) {
      notices.failed(error, say('save-failed'))
      return false
    } finally {
      isSending.current = false
    }
  }
}

function NewView({ resource, query }: { resource: Resource; query: string }) {
  const say = useTexts<typeof locale>('kit/page/views')
  const change = useViewChange(resource)
  const save = async (name: string) => {
    if (name.trim() === '') return
    const page = resource.screen.key
    await change(() => post('/common/view', { page, name, query, isShared: false }), say('saved-ok'))
  }
  return <NameInput text={say('save')} initial="" onName={save} />
}

function NameInput({ text, initial, onName }: { text: string; initial: string; onName(name: string): void }) {
  const say = useTexts<typeof locale>('kit/page/views')
  const [name, setName] = useState(initial)
  return (
    <Space.Compact block>
      <Input
        aria-label={say('name')}
        placeholder={say('name')}
        maxLength={50}
        value={name}
        onChange={event => setName(event.target.value)}
        onPressEnter={() => onName(name.trim())}
      />
      <Button type="primary" disabled={name.trim() === ''} onClick={() => onName(name.trim())}>
        {text}
      </Button>
    </Space.Compact>
  )
}

type RowProps = {
  resource: Resource
  view: View
  shown: string
  mayShare: boolean
  isChosen: boolean
  onApply(): void
}

function ViewRow({ resource, view, shown, mayShare, isChosen, onApply }: RowProps) {
  const say = useTexts<typeof locale>('kit/page/views')
  const change = useViewChange(resource)
  const [naming, setNaming] = useState(false)
  const items = useViewActions({ resource, view, shown, mayShare, isChosen, onRename: () => setNaming(true) })
  const rename = async (name: string) => {
    const { query, isShared } = view
    if (await change(() => put(`/common/view/${view.id}`, { name, query, isShared }))) setNaming(false)
  }
  if (naming)
    return (
      <li>
        <NameInput text={say('rename')} initial={view.name} onName={rename} />
      </li>
    )
  return (
    <li>
      <Button type="text" onClick={onApply} title={view.name} aria-current={view.query === shown}>
        {view.name}
      </Button>
      {isChosen && <StarFilled aria-label={say('default')} title={say('default')} />}
      {view.isShared && (
        <Tooltip title={say('shared-by', { name: view.by })}>
          <TeamOutlined aria-label={say('shared-by', { name: view.by })} />
        </Tooltip>
      )}
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button type="text" size="small" aria-label={say('actions', { name: view.name })} icon={<MoreOutlined />} />
      </Dropdown>
    </li>
  )
}

/** What may be done with a view: begin with it, whosever it is; the rest with one's own. */
function useViewActions({
  resource,
  view,
  shown,
  mayShare,
  isChosen,
  onRename,
}: Omit<RowProps, 'onApply'> & { onRename(): void }): MenuProps['items'] & object {
  const say = useTexts<typeof locale>('kit/page/views')
  const change = useViewChange(resource)
  const ask = useQuestion()
  const { id, name, query, isShared, isMine } = view
  const path = `/common/view/${id}`
  const choose = {
    key: 'default',
    label: say(isChosen ? 'not-default' : 'default'),
    onClick: () => void change(() => changePreference(preferenceOf(resource), isChosen ? null : { id, query })),
  }
  if (!isMine) return [choose]
  const erase = () =>
    ask({
      title: say('delete-ask', { name }),
      content: isShared ? say('delete-shared') : null,
      okText: say('delete'),
      okButtonProps: { danger: true },
      onOk: () => change(() => remove(path)),
    })
  const update = () => void change(() => put(path, { name, query: shown, isShared }), say('saved-ok'))
  const share = () => void change(() => put(path, { name, query, isShared: !isShared }), say('saved-ok'))
  return [
    choose,
    ...(shown !== '' && shown !== query ? [{ key: 'update', label: say('update'), onClick: update }] : []),
    { key: 'rename', label: say('rename'), onClick: onRename },
    ...(mayShare ? [{ key: 'share', label: say(isShared ? 'unshare' : 'share'), onClick: share }] : []),
    { key: 'delete', label: say('delete'), danger: true, onClick: erase },
  ]
}
