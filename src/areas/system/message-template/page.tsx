import { Space, Table } from 'antd'
import { lazy, Suspense } from 'react'
import { wide } from '#kit/page/form/inputs.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type MessageTemplate, resource, workflow } from './model.ts'
import { Preview } from './preview.page.tsx'

const BodyInput = lazy(async () => ({ default: (await import('./body-input.page.tsx')).BodyInput }))
const VariablesInput = lazy(async () => ({ default: (await import('./variables-input.page.tsx')).VariablesInput }))
const TestButton = lazy(async () => ({ default: (await import('./test.page.tsx')).TestButton }))

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      isShown={(field, values) => field !== 'providerCode' || values.channel === 'SMS'}
      inputs={{ body: wide(() => <BodyInput />), variables: wide(() => <VariablesInput />) }}
      shows={{
        body: (row: MessageTemplate) => <Said row={row} />,
        variables: (row: MessageTemplate) => <Variables variables={row.variables} />,
      }}
    />
  )
}

/** The text as it is written, and as whoever gets it reads it. */
function Said({ row }: { row: MessageTemplate }) {
  const mayTest = useUser(user => mayDo(user, resource.screen.key, 'test'))
  return (
    <Space orientation="vertical" size={12} style={{ width: '100%' }}>
      <p style={{ whiteSpace: 'pre-wrap', margin: 0 }}>{row.body}</p>
      <Preview {...row} />
      {mayTest && (
        <Suspense>
          <TestButton id={row.id} />
        </Suspense>
      )}
    </Space>
  )
}

function Variables({ variables }: Pick<MessageTemplate, 'variables'>) {
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
