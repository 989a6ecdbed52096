import { Button, Modal, Space, Table } from 'antd'
import type { ComponentType } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import type { AnyWorkflow, StepResult } from '../step.tsx'
import type { Listed } from './use-list.ts'

/** Buttons of a slice's own for the chosen rows; it says when it has changed them. */
export type BulkTools = ComponentType<{ ids: readonly string[]; onDone(): void }>

type Props = {
  resource: Resource
  workflow: AnyWorkflow | undefined
  list: Listed
  Tools: BulkTools | undefined
}

/** Appears with the first selected row: what can be done with all of them, and how many they are. */
export function BulkBar({ resource, workflow, list, Tools }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const { selected } = list
  const count = selected.length
  return (
    <Space wrap className="inkstone-bulk" role="toolbar" aria-label={kit('selected', { count })}>
      <strong>{kit('selected', { count })}</strong>
      {Object.entries(workflow?.steps ?? {})
        .filter(([name, step]) => list.holds(name) && !step.alone)
        .map(([name, step]) => (
          <Button key={name} size="small" danger={step.danger} onClick={() => list.step(name, selected)}>
            {say(`step.${name}` as never)}
          </Button>
        ))}
      {Tools && <Tools ids={selected} onDone={list.changed} />}
      {list.may('delete') && (
        <Button size="small" danger onClick={() => list.remove(selected)}>
          {kit('delete-many', { count, record: say('record' as never) })}
        </Button>
      )}
      <Button size="small" type="link" onClick={() => list.select([])}>
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
