import { EyeOutlined } from '@ant-design/icons'
import { Alert, App, Button } from 'antd'
import { post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useNotices } from '#kit/page/notice.tsx'
import { lookAfresh } from '#kit/page/shell/session/look-afresh.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { COMPARING, CompareTools } from './compare-tools.page.tsx'
import { SUPER_ADMIN } from './factor.model.ts'
import type { locale } from './locale.ts'
import { type Role, resource, workflow } from './model.ts'

// What is looked at and edited in a record comes with the first one.
const PermissionsInput = later(async () => (await import('./editor.page.tsx')).PermissionsInput)
const CopyInput = later(async () => (await import('./editor.page.tsx')).CopyInput)
const DepartmentsInput = later(async () => (await import('./editor.page.tsx')).DepartmentsInput)
const EffectiveButton = later(async () => (await import('./effective.page.tsx')).EffectiveButton)
const Held = later(async () => (await import('./held.page.tsx')).Held)
const Holders = later(async () => (await import('./held.page.tsx')).Holders)
const Compare = later(async () => (await import('./compare.page.tsx')).Compare)
const CompareDrawer = later(async () => (await import('./compare.page.tsx')).CompareDrawer)

const INPUTS = {
  copyOf: () => <CopyInput />,
  orgIds: () => <DepartmentsInput />,
  permissions: () => <PermissionsInput />,
}

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayRead = useUser(user => mayDo(user, resource.screen.key, 'detail'))
  const mayCreate = useUser(user => mayDo(user, resource.screen.key, 'create'))
  return (
    <>
      <ListPage
        resource={resource}
        workflow={workflow}
        inputs={INPUTS}
        isShown={isAsked}
        head={About}
        tools={mayRead && <EffectiveButton />}
        {...(mayRead ? { bulk: CompareTools } : {})}
        tabs={[
          { name: 'tab.permissions', Show: Held },
          { name: 'tab.holders', Show: Holders },
          { name: 'tab.compare', Show: Compare },
        ]}
        links={({ id, code }) =>
          mayCreate
            ? [
                {
                  text: say('copy'),
                  path: `${resource.screen.route}?create=1&with.copyOf=${id}`,
                  ...(code === SUPER_ADMIN ? { why: say('fixed') } : {}),
                },
              ]
            : []
        }
      />
      {mayRead && <Compared />}
    </>
  )
}

/** The two of the address beside each other, over the list. */
function Compared() {
  const tab = useTab()
  const ids = tab.search.get(COMPARING)
  if (ids === null) return null
  const [first = '', second = ''] = ids.split(',')
  const compare = (asked: readonly string[] | undefined) => tab.change({ [COMPARING]: asked?.join() }, 'push')
  return <CompareDrawer ids={[first, second]} onChange={compare} onClose={() => compare(undefined)} />
}

/** Of the role that is as it is nothing is asked; departments are, where they are what is seen. */
function isAsked(field: string, { code, version, scope }: Record<string, unknown>): boolean {
  if (code === SUPER_ADMIN && version !== undefined) return field === 'permissions'
  return field !== 'orgIds' || scope === 'CHOSEN'
}

function About({ row }: { row: Role }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayPreview = useUser(user => mayDo(user, resource.screen.key, 'preview'))
  if (row.code === SUPER_ADMIN) return <Alert type="info" showIcon title={say('fixed')} />
  return (
    <>
      {row.outdated > 0 && <Alert type="warning" showIcon title={say('outdated-note', { count: row.outdated })} />}
      {mayPreview && <PreviewButton role={row} />}
    </>
  )
}

function PreviewButton({ role: { id, name } }: { role: Role }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const notices = useNotices()
  const { modal } = App.useApp()
  const begin = async () => {
    try {
      await post(`/${resource.screen.name}/${id}/preview`)
      lookAfresh()
    } catch (error) {
      notices.failed(error, say('step.preview'))
    }
  }
  const ask = () =>
    modal.confirm({
      title: say('preview-ask', { name }),
      content: say('preview-about'),
      okText: say('step.preview'),
      onOk: begin,
    })
  return (
    <Button icon={<EyeOutlined />} onClick={ask}>
      {say('step.preview')}
    </Button>
  )
}
