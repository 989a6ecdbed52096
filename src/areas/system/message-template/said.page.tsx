import { Space, Table } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type MessageTemplate, resource } from './model.ts'
import { Preview } from './preview.page.tsx'

const TestButton = later(async () => (await import('./test.page.tsx')).TestButton)

/** The text as it is written, and as whoever gets it reads it. */
export function Said({ row }: { row: MessageTemplate }) {
  const mayTest = useUser(user => mayDo(user, resource.screen.key, 'test'))
  return (
    <Space orientation="vertical" size={12} style={{ width: '100%' }}>
      <p style={{ whiteSpace: 'pre-wrap', margin: 0 }}>{row.body}</p>
      <Preview {...row} />
      {mayTest && <TestButton id={row.id} />}
    </Space>
  )
}

export function Variables({ variables }: Pick<MessageTemplate, 'variables'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Table
      size="small"
      rowKey="name"
      dataSource={variables}
      pagination={false}
      columns={[
        { dataIndex: 'name', title: say('variable.name'), render: (name: string) => <code>{name}</code> },
        {
          dataIndex: 'kind',
          title: say('variable.kind'),
          render: (kind: MessageTemplate['variables'][number]['kind']) => say(`variable.${kind}`),
        },
        { dataIndex: 'sample', title: say('variable.sample') },
      ]}
    />
  )
}
