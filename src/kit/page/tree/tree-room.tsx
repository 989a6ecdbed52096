import { Button, Empty, Grid, Input, Skeleton, Space, Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import type { Shape } from '#kit/model/resource.ts'
import { Heading, Story, type Told } from '../detail/story.tsx'
import { useRecord } from '../detail/use-record.ts'
import { useTexts } from '../language.ts'
import { FormDrawer } from '../list/drawers.tsx'
import { nameOf, useReload } from '../list/list-state.ts'
import { useEdited } from '../list/use-edited.ts'
import { useRemoval } from '../list/use-removal.tsx'
import { LoadFailed } from '../load-failed.tsx'
import type { locale as kitLocale } from '../locale.ts'
import { recordOf, recordPath } from '../screens.ts'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'
import { Branches } from './branches.tsx'
import type { locale } from './locale.ts'
import { useMoveTo } from './move-to.tsx'
import type { TreePageProps } from './tree-types.ts'
import { useMove } from './use-move.tsx'
import { type ReadTree, useTree } from './use-tree.ts'
import '../kit.css'
import './tree.css'
import { useTitles } from '../menu.ts'

const NONE = {}
const always = () => true

/** The tree, the record chosen in it, and what may be done with either. */
export function TreeRoom({
  resource,
  inputs = NONE,
  isShown = always,
  shows = NONE,
  tabs = [],
  head,
}: TreePageProps<Shape>) {
  const say = useTexts<typeof locale>('kit/page/tree')
  const menu = useTitles()
  const tab = useTab()
  const user = useUser()
  const [typed, setTyped] = useState('')
  const tree = useTree(`/${resource.screen.name}/tree`, [resource.screen.name, 'tree'], typed)
  const reload = useReload(resource)
  const may = (action: string) => resource.actions.includes(action) && mayDo(user, resource.screen.key, action)
  // Below the route of the screen each record has an address of its own; here it is shown in its tree all the same.
  const ownPage = recordOf(tab.path)
  const openId = ownPage ?? tab.search.get('open') ?? undefined
  const open = (id: string | undefined) => {
    if (ownPage === undefined) tab.change({ open: id }, 'push')
    else tab.turn(id === undefined ? resource.screen.route : recordPath(resource.screen.route, id))
  }
  const move = useMove(resource, tree, reload)
  const narrow = Grid.useBreakpoint().md === false
  // Beside the tree there is room for one; whoever has chosen none sees the first.
  const shownId = openId ?? (narrow ? undefined : tree.nodes[0]?.id)
  const { parent = '', isFixed = false } = resource.tree ?? {}
  const create = (below?: string) => tab.change({ create: '1', [`with.${parent}`]: below }, 'push')
  const creating = tab.search.has('create') && may('create')
  const edited = useEdited(resource, may('update') ? (tab.search.get('edit') ?? undefined) : undefined)
  const record = { resource, shows, tabs, Head: head }
  return (
    <div className="inkstone-tree-room">
      {(!narrow || openId === undefined) && (
        <section aria-label={menu(resource.screen.name)}>
          <TreeTools
            onTyped={setTyped}
            onAdd={may('create') ? () => create(shownId) : undefined}
            isBelow={shownId !== undefined}
          />
          <TreeSide
            tree={tree}
            typed={typed}
            chosen={shownId}
            onChoose={open}
            onMove={may('move') ? move : undefined}
            isFixed={isFixed}
          />
          {may('move') && !narrow && <p className="inkstone-tree-hint">{say(isFixed ? 'keys-fixed' : 'keys')}</p>}
        </section>
      )}
      {(!narrow || openId !== undefined) && (
        <section>
          {narrow && <Button onClick={() => open(undefined)}>{say('back')}</Button>}
          {shownId === undefined ? (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('choose')} />
          ) : (
            <Chosen
              {...record}
              id={shownId}
              tree={tree}
              may={may}
              move={move}
              onChanged={reload}
              onGone={() => open(undefined)}
            />
          )}
        </section>
      )}
      <FormDrawer
        resource={resource}
        inputs={inputs}
        isShown={isShown}
        shows={shows}
        record={creating ? undefined : edited}
        initial={{ [parent]: tab.search.get(`with.${parent}`) ?? undefined }}
        open={creating || edited !== undefined}
        onClose={() => tab.change({ create: undefined, edit: undefined, [`with.${parent}`]: undefined }, 'push')}
        onDone={reload}
      />
    </div>
  )
}

type ToolsProps = { onTyped(typed: string): void; onAdd: (() => void) | undefined; isBelow: boolean }

function TreeTools({ onTyped, onAdd, isBelow }: ToolsProps) {
  const say = useTexts<typeof locale>('kit/page/tree')
  return (
    <div className="inkstone-tree-tools">
      <Input.Search
        placeholder={say('search')}
        aria-label={say('search')}
        allowClear
        onChange={event => onTyped(event.target.value)}
      />
      {onAdd && (
        <Button type="primary" onClick={onAdd}>
          {say(isBelow ? 'add-below' : 'add-top')}
        </Button>
      )}
    </div>
  )
}

type SideProps = {
  tree: ReadTree
  typed: string
  chosen: string | undefined
  onChoose(id: string): void
  onMove: Move | undefined
  isFixed: boolean
}
type Move = ReturnType<typeof useMove>

function TreeSide({ tree, typed, chosen, onChoose, onMove, isFixed }: SideProps) {
  const say = useTexts<typeof locale>('kit/page/tree')
  if (tree.error) return <LoadFailed error={tree.error} onRetry={tree.retry} />
  if (!tree.isRead) return <Skeleton active title={false} />
  const text = typed.trim()
  if (tree.shown.length === 0 && text !== '')
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('nothing', { text })} />
  return (
    <Branches
      tree={tree}
      chosen={chosen}
      onChoose={onChoose}
      onMove={onMove && ((id, place) => void onMove(id, place))}
      isFixed={isFixed}
      isSearch={text !== ''}
    />
  )
}

type ChosenProps = Pick<Told, 'resource' | 'shows' | 'tabs' | 'Head'> & {
  id: string
  tree: ReadTree
  may(action: string): boolean
  move: Move
  onChanged(): void
  onGone(): void
}

function Chosen({ id, tree, may, move, onChanged, onGone, ...told }: ChosenProps) {
  const { resource } = told
  const kit = useTexts<typeof kitLocale>('kit/page')
  const say = useTexts<typeof locale>('kit/page/tree')
  const tab = useTab()
  const { row, error, refetch, isGone } = useRecord(resource, id, true, { isUnderWay: undefined, onSettled: onChanged })
  const moveTo = useMoveTo(tree, move)
  const removal = useRemoval(resource, () => {
    onGone()
    onChanged()
  })
  useEffect(
    function leaveWhatHasGone() {
      if (isGone) onGone()
    },
    [isGone, onGone],
  )
  const name = recordOf(tab.path) === undefined ? undefined : nameOf(resource, row)
  useEffect(
    function nameItsTab() {
      if (name !== undefined) tab.setTitle(name)
    },
    [name, tab],
  )
  if (error) return <LoadFailed error={error} onRetry={refetch} />
  if (!row) return <Skeleton active />
  return (
    <>
      <h2>
        <Heading resource={resource} workflow={undefined} row={row} />
      </h2>
      <Story
        {...told}
        workflow={undefined}
        row={row}
        actions={
          <Space wrap>
            {may('update') && (
              <Button type="primary" onClick={() => tab.change({ edit: id }, 'push')}>
                {kit('edit')}
              </Button>
            )}
            {may('move') && !resource.tree?.isFixed && <Button onClick={() => moveTo(id)}>{say('move-to')}</Button>}
            {may('delete') && (
              <Tooltip title={row.steps.delete?.msg}>
                <Button danger disabled={row.steps.delete != null} onClick={() => removal([id], [row])}>
                  {kit('delete')}
                </Button>
              </Tooltip>
            )}
          </Space>
        }
      />
    </>
  )
}
