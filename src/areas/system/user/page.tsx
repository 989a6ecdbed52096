import { UserAddOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { formatInstant } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { resource, type User, workflow } from './model.ts'

const RolesInput = later(async () => (await import('./roles.page.tsx')).RolesInput)
const HireModal = later(async () => (await import('./hire.page.tsx')).HireModal)
const ResetModal = later(async () => (await import('./reset.page.tsx')).ResetModal)
const Roles = later(async () => (await import('./sides.page.tsx')).Roles)
const Sessions = later(async () => (await import('./sides.page.tsx')).Sessions)

/** What is being done stands in the address, where no filter is called so. */
const HIRING = 'with.hire'
const RESETTING = 'with.reset'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const user = useUser()
  const may = (action: string) => mayDo(user, resource.screen.key, action)
  const close = () => tab.change({ [HIRING]: undefined, [RESETTING]: undefined }, 'push')
  const resetting = may('resetPassword') ? tab.search.get(RESETTING) : null
  return (
    <>
      <ListPage
        resource={resource}
        workflow={workflow}
        inputs={{ roleIds: () => <RolesInput /> }}
        tabs={[
          { name: 'tab.roles', Show: Roles },
          { name: 'tab.sessions', Show: Sessions },
        ]}
        head={About}
        links={row =>
          may('resetPassword')
            ? [
                {
                  text: say('step.resetPassword'),
                  path: `${resource.screen.route}?${RESETTING}=${row.id}`,
                  why: whyNoReset(row, user.info?.id, say),
                },
              ]
            : []
        }
        tools={
          may('create') && (
            <Button
              type="primary"
              icon={<UserAddOutlined aria-hidden />}
              onClick={() => tab.change({ [HIRING]: '1' }, 'push')}
            >
              {say('step.create')}
            </Button>
          )
        }
      />
      {may('create') && tab.search.has(HIRING) && <HireModal onClose={close} />}
      {resetting !== null && <ResetModal key={resetting} id={resetting} onClose={close} />}
    </>
  )
}

type Why = (key: 'not-oneself' | 'reset-disabled') => string

function whyNoReset(
  { id, status }: Pick<User, 'id' | 'status'>,
  own: string | undefined,
  say: Why,
): string | undefined {
  if (id === own) return say('not-oneself')
  return status === 'DISABLED' ? say('reset-disabled') : undefined
}

/** What stands between this person and the console. */
function About({ row: { accountState, lockedUntil, mustChange } }: { row: User }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (accountState === 'DISABLED') return <Alert type="info" showIcon title={say('about.DISABLED')} />
  if (lockedUntil !== null)
    return (
      <Alert type="warning" showIcon title={say('about.LOCKED', { until: formatInstant(new Date(lockedUntil)) })} />
    )
  return mustChange && <Alert type="info" showIcon title={say('about.mustChange')} />
}
