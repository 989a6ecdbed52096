import { Button } from 'antd'
import { useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { recordOf } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type Consultant, resource, workflow } from './model.ts'

const Targets = later(async () => (await import('./targets.page.tsx')).Targets)
const LeftOver = later(async () => (await import('./left.page.tsx')).LeftOver)
const Allocation = later(async () => (await import('./allocation.page.tsx')).Allocation)

const hour = (at: number): string => `${String(at).padStart(2, '0')}:00`
const SHOWS = {
  workFrom: ({ workFrom }: Consultant) => hour(workFrom),
  workTo: ({ workTo }: Consultant) => hour(workTo),
}

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayManage = useUser(user => mayDo(user, resource.screen.key, 'update'))
  const isList = recordOf(useTab().path) === undefined
  const [opened, open] = useState<'rules' | 'mending'>()
  return (
    <>
      {mayManage && isList && <LeftOver onMend={() => open('mending')} />}
      <ListPage
        resource={resource}
        workflow={workflow}
        shows={SHOWS}
        tabs={[{ name: 'tab.targets', Show: Targets }]}
        tools={mayManage && <Button onClick={() => open('rules')}>{say('allocation')}</Button>}
      />
      {opened && <Allocation isMending={opened === 'mending'} onClose={() => open(undefined)} />}
    </>
  )
}
