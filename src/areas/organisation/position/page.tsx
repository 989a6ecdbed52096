import { Space, Tag } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { recordPath } from '#kit/page/screens.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { type Position, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{ holders: (row: Position) => <Holders of={row.holders} /> }}
    />
  )
}

function Holders({ of: holders }: { of: Position['holders'] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayOpen = useUser(user => mayDo(user, area.screens.staff.key, 'detail'))
  if (holders.length === 0) return say('no-holders')
  return (
    <Space size={[8, 4]} wrap>
      {holders.map(({ id, name, department, isPrimary }) => (
        <Tag key={id} title={say(isPrimary ? 'is-primary' : 'is-beside')} variant={isPrimary ? 'filled' : 'outlined'}>
          {mayOpen ? <a href={`#${recordPath(area.screens.staff.route, id)}`}>{name}</a> : name} · {department}
        </Tag>
      ))}
    </Space>
  )
}
