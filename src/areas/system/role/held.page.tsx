import { Tag } from 'antd'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { Code } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { recordPath } from '#kit/page/screens.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import { SUPER_ADMIN } from './factor.model.ts'
import type { locale } from './locale.ts'
import { type Holder, type Role, resource } from './model.ts'
import { Permissions } from './permissions.page.tsx'

/** What a role may do, to be read. */
export function Held({ row: { code, permissions } }: { row: Role }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (code === SUPER_ADMIN) return say('holds-all')
  return <Permissions held={new Set(permissions)} />
}

/** Who holds it. */
export function Holders({ row: { holders, people } }: { row: Role }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayOpenUser = useUser(user => mayDo(user, area.screens.user.key, 'detail'))
  return (
    <>
      <SmallTable<Holder>
        rows={holders}
        empty={say('no-holders')}
        columns={[
          {
            title: say('field.person'),
            dataIndex: 'name',
            render: (name: string, { id, enabled }) => (
              <>
                {mayOpenUser ? <a href={`#${recordPath(area.screens.user.route, id)}`}>{name}</a> : name}{' '}
                {!enabled && <Tag>{say('disabled')}</Tag>}
              </>
            ),
          },
          {
            title: say('field.account'),
            dataIndex: 'account',
            render: (account: string) => <Code>{account}</Code>,
          },
          { title: say('field.department'), dataIndex: 'department' },
        ]}
      />
      {people > holders.length && (
        <p className="inkstone-note">{say('holders-more', { people, shown: holders.length })}</p>
      )}
    </>
  )
}
