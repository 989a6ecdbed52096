import { Button, Modal, Space, Table } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import type { AnyWorkflow, StepResult } from '../step.tsx'
import { mayDo, useUser } from '../user.ts'

type Props = {
  resource: Resource
  workflow: AnyWorkflow | undefined
  count: number
  on: { step(name: string): void; remove(): void; clear(): void }
}

/** Appears with the first selected row: what can be done with all of them, and how many they are. */
export function BulkBar({ resource, workflow, count, on }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const user = useUser()
  const may = (action: string) => mayDo(user, resource.screen.key, action)
  return (
    <Space wrap className="inkstone-bulk" role="toolbar" aria-label={kit('selected', { count })}>
      <strong>{kit('selected', { count })}</strong>
      {Object.entries(workflow?.steps ?? {})
        .filter(([name]) => may(name))
        .map(([name, step]) => (
          <Button key={name} size="small" danger={step.danger} onClick={() => on.step(name)}>
            {say(`step.${name}` as never)}
          </Button>
        ))}
      {resource.actions.includes('delete') && may('delete') && (
        <Button size="small" danger onClick={on.remove}>
          {kit('delete-many', { count, record: say('record' as never) })}
        </Button>
      )}
      <Button size="small" type="link" onClick={on.clear}>
        {kit('clear-selection')}
      </Button>
    </Space>
  )
}

/** What became of each row: nothing is dropped silently. */
export function BulkResults({ results, onClose }: { results: readonly StepResult[]; onClose(): void }) {
  const kit = useTexts<typeof locale>('kit/page')
  const done = results.filter(({ result }) => result === 'done').length
  return (
    <Modal
      open
      title={kit('results-title')}
      onCancel={onClose}
      onOk={onClose}
      cancelButtonProps={{ hidden: true }}
      okText={kit('close')}
    >
      <p>{kit('results-summary', { done, refused: results.length - done })}</p>
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ y: 320 }}
        dataSource={[...results]}
        columns={[
          { dataIndex: 'id', title: 'ID', width: 90 },
          {
            dataIndex: 'result',
            title: kit('results-title'),
            width: 110,
            render: (result: StepResult['result']) => kit(`result-${result}`),
          },
          { dataIndex: 'msg', title: kit('reason') },
        ]}
      />
    </Modal>
  )
}
