import { Button } from 'antd'
import { post } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { deviceName } from '#kit/page/field/device.ts'
import { Code, Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useQuestion } from '#kit/page/question.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type HeldRole, type OpenSession, resource, type User } from './model.ts'

export function Roles({ row: { roles } }: { row: User }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <SmallTable<HeldRole>
      rows={roles}
      empty={say('no-roles')}
      columns={[
        { title: say('field.roles'), dataIndex: 'name' },
        { title: say('role.code'), dataIndex: 'code', render: (code: string) => <Code>{code}</Code> },
        {
          title: say('role.scope'),
          dataIndex: 'scope',
          render: (scope: string) => say(`scope.${scope}` as 'scope.ALL'),
        },
      ]}
    />
  )
}

export function Sessions({ row: { id, sessions } }: { row: User }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayEnd = useUser(user => mayDo(user, resource.screen.key, 'forceLogout') && user.info?.id !== id)
  return (
    <SmallTable<OpenSession>
      rows={sessions}
      empty={say('no-sessions')}
      columns={[
        { title: say('session.device'), dataIndex: 'device', render: (agent: string) => deviceName(agent) },
        { title: say('session.address'), dataIndex: 'address', render: (address: string) => <Code>{address}</Code> },
        { title: say('session.since'), dataIndex: 'since', render: (at: string) => <Instant at={at} /> },
        { title: say('session.activeAt'), dataIndex: 'activeAt', render: (at: string) => <Instant at={at} /> },
        ...(mayEnd
          ? [
              {
                key: 'end',
                fixed: 'end' as const,
                render: (_: unknown, session: OpenSession) => <EndButton of={id} sessionId={session.id} />,
              },
            ]
          : []),
      ]}
    />
  )
}

function EndButton({ of, sessionId }: { of: string; sessionId: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const ask = useQuestion()
  const notices = useNotices()
  const reload = useReload(resource)
  const end = async () => {
    try {
      await post(`/${resource.screen.name}/${of}/sessions/${sessionId}/end`)
      notices.done(say('session.ended'))
    } catch (error) {
      notices.failed(error, kit('submit-failed'))
    }
    reload()
  }
  return (
    <Button
      type="link"
      size="small"
      danger
      onClick={() =>
        ask({
          title: say('session.end'),
          content: say('session.ask-end'),
          okText: say('session.end'),
          okType: 'danger',
          cancelText: kit('cancel'),
          onOk: end,
        })
      }
    >
      {say('session.end')}
    </Button>
  )
}
