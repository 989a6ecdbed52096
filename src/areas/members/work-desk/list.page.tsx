import { Button } from 'antd'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { resource as pictures, type workflow } from '#areas/members/work/model.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { DeskScreen } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'

const SecondLooks = later(async () => (await import('./second-looks.page.tsx')).SecondLooks)
const Desk = later(async () => (await import('./desk.page.tsx')).Desk)

type Props = { resource: typeof pictures; workflow: typeof workflow } & Pick<
  ComponentProps<typeof ListPage<(typeof pictures)['record']['shape']>>,
  'shows'
>

/** The list, and in the same tab the desk: `desk` in the address says so. */
export function WorkList({ resource, ...props }: Props): ReactNode {
  const say = useTexts<typeof locale>('members/work-desk')
  const tab = useTab()
  const user = useUser()
  const may = mayDo(user, resource.screen.key, 'take')
  // The same people comment on pictures and films.
  const looksAgain = mayDo(user, pictures.screen.key, 'passReview')
  const [isOpen, open] = useState(false)
  if (may && tab.search.has('desk'))
    return (
      <DeskScreen value={resource.screen}>
        <Desk onLeave={() => tab.change({ desk: undefined })} />
      </DeskScreen>
    )
  return (
    <>
      <ListPage
        resource={resource}
        {...props}
        tools={
          <>
            {looksAgain && <Button onClick={() => open(true)}>{say('looks.open')}</Button>}
            {may && (
              <Button type="primary" onClick={() => tab.change({ desk: '1' }, 'push')}>
                {say('desk.open')}
              </Button>
            )}
          </>
        }
      />
      {isOpen && <SecondLooks onClose={() => open(false)} />}
    </>
  )
}
