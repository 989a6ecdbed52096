import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { resource, workflow } from './model.ts'

const Contacts = later(async () => (await import('./contacts.page.tsx')).Contacts)
const Owners = later(async () => (await import('./history.page.tsx')).Owners)
const Decisions = later(async () => (await import('./history.page.tsx')).Decisions)
const Levels = later(async () => (await import('./history.page.tsx')).Levels)
const Pools = later(async () => (await import('./pools.page.tsx')).Pools)

/** What was said takes more than a line. */
const INPUTS = {
  content: () => <Input.TextArea autoSize={{ minRows: 4, maxRows: 10 }} maxLength={1_000} showCount />,
}

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayManage = useUser(user => mayDo(user, resource.screen.key, 'assign'))
  const [isOpen, open] = useState(false)
  return (
    <>
      <ListPage
        resource={resource}
        workflow={workflow}
        inputs={INPUTS}
        tools={mayManage && <Button onClick={() => open(true)}>{say('pools')}</Button>}
        tabs={[
          { name: 'tab.contacts', Show: Contacts },
          { name: 'tab.owners', Show: Owners },
          { name: 'tab.decisions', Show: Decisions },
          { name: 'tab.levels', Show: Levels },
        ]}
      />
      {isOpen && <Pools onClose={() => open(false)} />}
    </>
  )
}
