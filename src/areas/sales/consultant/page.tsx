import { Button } from 'antd'
import { useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { resource, workflow } from './model.ts'

const Targets = later(async () => (await import('./targets.page.tsx')).Targets)
const Allocation = later(async () => (await import('./allocation.page.tsx')).Allocation)

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayManage = useUser(user => mayDo(user, resource.screen.key, 'update'))
  const [isOpen, open] = useState(false)
  return (
    <>
      <ListPage
        resource={resource}
        workflow={workflow}
        tabs={[{ name: 'tab.targets', Show: Targets }]}
        tools={mayManage && <Button onClick={() => open(true)}>{say('allocation')}</Button>}
      />
      {isOpen && <Allocation onClose={() => open(false)} />}
    </>
  )
}
