import { CloseOutlined } from '@ant-design/icons'
import { Button, Drawer, Empty, Grid, Input, Skeleton, Tooltip } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../language.ts'
import { useAsked, useHeld } from '../list/list-context.ts'
import { LoadFailed } from '../load-failed.tsx'
import { Branches } from '../tree/branches.tsx'
import { useTree } from '../tree/use-tree.ts'
import { departmentsAt } from './departments-at.ts'
import type { locale } from './locale.ts'
import '../tree/tree.css'
import './side.css'

/** The departments beside the rows; on a phone they come up as a sheet, which goes once one is chosen. */
export function Side() {
  const say = useTexts<typeof locale>('kit/page/side')
  const { side } = useHeld()
  const narrow = Grid.useBreakpoint().md === false
  const close = () => side.setOpen(false)
  if (narrow)
    return (
      <Drawer
        open
        placement="bottom"
        size="70dvh"
        title={say('departments')}
        onClose={close}
        className="inkstone-side-sheet"
      >
        <Departments onChosen={close} />
      </Drawer>
    )
  return (
    <nav className="inkstone-side" aria-label={say('departments')}>
      <Departments>
        <Tooltip title={say('close')}>
          <Button type="text" aria-label={say('close')} icon={<CloseOutlined />} onClick={close} />
        </Tooltip>
      </Departments>
    </nav>
  )
}

/** Writes one filter, and reads it back from the address: what a link or a view asks for is marked here. */
function Departments({ onChosen, children }: { onChosen?: () => void; children?: ReactNode }) {
  const say = useTexts<typeof locale>('kit/page/side')
  const { resource } = useHeld()
  const asked = useAsked()
  const [typed, setTyped] = useState('')
  const tree = useTree(...departmentsAt(resource), typed)
  const [chosen, ...others] = asked.filters.department ?? []
  const choose = (id: string | undefined) => {
    asked.filter({ department: id === undefined ? undefined : [id] })
    onChosen?.()
  }
  return (
    <>
      <div className="inkstone-tree-tools">
        <Input
          placeholder={say('search')}
          aria-label={say('search')}
          allowClear
          onChange={event => setTyped(event.target.value)}
        />
        {children}
      </div>
      <Button
        block
        type="text"
        className="inkstone-side-all"
        aria-pressed={chosen === undefined}
        onClick={() => choose(undefined)}
      >
        {say('all')}
      </Button>
      {tree.error ? (
        <LoadFailed error={tree.error} onRetry={tree.retry} />
      ) : !tree.isRead ? (
        <Skeleton active title={false} />
      ) : tree.shown.length === 0 && typed.trim() !== '' ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('nothing', { text: typed.trim() })} />
      ) : (
        <Branches
          tree={tree}
          chosen={others.length === 0 ? chosen : undefined}
          onChoose={id => choose(id === chosen ? undefined : id)}
          onMove={undefined}
          isFixed
          isSearch={typed.trim() !== ''}
        />
      )}
    </>
  )
}
