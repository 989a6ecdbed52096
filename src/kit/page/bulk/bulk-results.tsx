import { Button, Modal, Table } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import type { Shows } from '../detail/detail-types.ts'
import { useTexts } from '../language.ts'
import type { Listed } from '../list/use-list.ts'
import type { locale } from '../locale.ts'
import { Brief } from '../step-matter.tsx'
import type { StepResult } from '../step-types.ts'
import { useTab } from '../tab.ts'
import { StateTag } from '../tone.tsx'

/** What became of each row, by the name people know it by: what was refused comes first, nothing is dropped silently. */
export function BulkResults({
  resource,
  list,
  results,
  shows,
}: {
  resource: Resource
  list: Listed
  results: readonly StepResult[]
  shows: Shows
}) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const tab = useTab()
  const refused = results.filter(({ result }) => result === 'refused')
  const done = results.filter(({ result }) => result === 'done')
  return (
    <Modal
      // Whoever asks for one of them elsewhere finds the others here on coming back.
      open={tab.shown}
      width={720}
      title={kit('results-summary', { done: done.length, refused: refused.length })}
      onCancel={list.closeResults}
      footer={
        <Button type="primary" onClick={list.closeResults}>
          {kit('close')}
        </Button>
      }
    >
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ y: 320 }}
        dataSource={[...refused, ...done]}
        columns={[
          {
            dataIndex: 'id',
            title: say('record'),
            render: (id: string) =>
              list.rowsOf([id]).map(row => <Brief key={id} resource={resource} row={row} shows={shows} />),
          },
          {
            dataIndex: 'result',
            title: kit('results-title'),
            width: 110,
            render: (result: StepResult['result']) => (
              <StateTag tone={result === 'done' ? 'done' : 'failed'}>{kit(`result-${result}`)}</StateTag>
            ),
          },
          {
            dataIndex: 'msg',
            title: kit('reason'),
            render: (msg: string | null, { instead }) => (
              <>
                {msg}
                {instead !== undefined && (
                  <Button type="link" size="small" onClick={() => tab.open(instead)}>
                    {kit('ask-for-it')}
                  </Button>
                )}
              </>
            ),
          },
        ]}
      />
    </Modal>
  )
}
