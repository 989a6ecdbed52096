import './config.css'
import { Segmented } from 'antd'
import { lazy, Suspense, useEffect } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { recordOf } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import { resource, type SettingChange, workflow } from './model.ts'
import { useGroups } from './use-groups.page.tsx'

const SettingsView = lazy(async () => ({ default: (await import('./settings.page.tsx')).SettingsView }))

/** A change is entered where its setting stands, beside what is in force. */
const CHANGES = { ...resource, actions: resource.actions.filter(action => action !== 'create') }

/** What the address says of the settings; anything else in it is asked of the list of changes. */
const OF_SETTINGS: ReadonlySet<string> = new Set(['setting', 'create'])

/** One change has the tab to itself. */
export function Page() {
  const isOne = recordOf(useTab().path) !== undefined
  return isOne ? <Changes /> : <Views />
}

const Changes = () => <ListPage resource={CHANGES} workflow={workflow} head={Help} />

/** What the setting of a change is for. */
function Help({ row: { key } }: { row: SettingChange }) {
  const { data: groups = [] } = useGroups()
  return groups.flatMap(({ settings }) => settings).find(setting => setting.key === key)?.help
}

/** What is in force by group, and every change there ever was: two views of one page. */
function Views() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const { data: groups = [] } = useGroups()
  const count = groups.flatMap(({ settings }) => settings).filter(({ proposal }) => proposal?.mayConfirm).length
  const isChanges = [...tab.search.keys()].some(name => !OF_SETTINGS.has(name))
  useEffect(function stayWithTheChanges() {
    // Who comes by a filter stays when it is taken away.
    if (isChanges && !tab.search.has('view')) tab.change({ view: 'changes' })
  })
  const show = (view: string) => {
    const away = Object.fromEntries([...tab.search.keys()].map(name => [name, undefined]))
    tab.change({ ...away, ...(view === 'changes' ? { view } : {}) }, 'push')
  }
  return (
    <>
      <Segmented
        className="config-views"
        value={isChanges ? 'changes' : 'settings'}
        onChange={show}
        options={[
          { value: 'settings', label: say('view-settings') },
          { value: 'changes', label: count === 0 ? say('view-changes') : say('view-changes-waiting', { count }) },
        ]}
      />
      {isChanges ? (
        <Changes />
      ) : (
        <Suspense>
          <SettingsView />
        </Suspense>
      )}
    </>
  )
}
