import { Space, Tag } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { recordPath } from '#kit/page/screens.ts'
import { TreePage } from '#kit/page/tree/tree-page.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { type Department, resource } from './model.ts'

export function Page() {
  return <TreePage resource={resource} shows={{ people: (row: Department) => <People of={row} /> }} />
}

/** Whoever is moved elsewhere, before a department closes, is one step away. */
function People({ of: { people } }: { of: Department }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayOpen = useUser(user => mayDo(user, area.screens.staff.key, 'detail'))
  if (people.length === 0) return say('no-people')
  return (
    <Space size={[8, 4]} wrap>
      {people.map(({ id, name, account }) => (
        <Tag key={id} title={account}>
          {mayOpen ? <a href={`#${recordPath(area.screens.staff.route, id)}`}>{name}</a> : name}
        </Tag>
      ))}
    </Space>
  )
}
