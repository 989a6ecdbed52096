import { Button } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { resource, workflow } from './model.ts'

const Desk = later(async () => (await import('./desk.page.tsx')).Desk)

/** The list, and in the same tab the desk: `desk` in the address says so. */
export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const may = mayDo(useUser(), resource.screen.key, 'take')
  if (may && tab.search.has('desk')) return <Desk onLeave={() => tab.change({ desk: undefined })} />
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
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
