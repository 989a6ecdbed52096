import { Button } from 'antd'
import type { ComponentProps, ReactNode } from 'react'
import type { resource as pictures, workflow } from '#areas/members/work/model.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { DeskScreen } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'

const Desk = later(async () => (await import('./desk.page.tsx')).Desk)

type Props = { resource: typeof pictures; workflow: typeof workflow } & Pick<
  ComponentProps<typeof ListPage<(typeof pictures)['record']['shape']>>,
  'shows'
>

/** The list, and in the same tab the desk: `desk` in the address says so. */
export function WorkList({ resource, ...props }: Props): ReactNode {
  const say = useTexts<typeof locale>('members/work-desk')
  const tab = useTab()
  const may = mayDo(useUser(), resource.screen.key, 'take')
  if (may && tab.search.has('desk'))
    return (
      <DeskScreen value={resource.screen}>
        <Desk onLeave={() => tab.change({ desk: undefined })} />
      </DeskScreen>
    )
  return (
    <ListPage
      resource={resource}
      {...props}
      tools={
        may && (
          <Button type="primary" onClick={() => tab.change({ desk: '1' }, 'push')}>
            {say('desk.open')}
          </Button>
        )
      }
    />
  )
}
