import { Space, Tag } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { TreePage } from '#kit/page/tree/tree-page.tsx'
import type { locale } from './locale.ts'
import { type Department, resource } from './model.ts'

export function Page() {
  return <TreePage resource={resource} shows={{ people: (row: Department) => <People of={row} /> }} />
}

function People({ of: { people } }: { of: Department }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (people.length === 0) return say('no-people')
  return (
    <Space size={[8, 4]} wrap>
      {people.map(({ id, name, account }) => (
        <Tag key={id} title={account}>
          {name}
        </Tag>
      ))}
    </Space>
  )
}
