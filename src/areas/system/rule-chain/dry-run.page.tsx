import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Flex, Input, Table, Typography } from 'antd'
import { useId, useState } from 'react'
import { CallFailed, post, reasonOf } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { MAX_FACTS, resource, type Tried } from './model.ts'

const CODE = { fontFamily: 'monospace' } as const

/** Runs the chain as it is written on facts somebody enters, and shows each step. */
export function DryRun({ source, onTried }: { source: string; onTried(source: string, tried: Tried): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [facts, setFacts] = useState('{}')
  const id = useId()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => post<Tried>(`/${resource.screen.name}/try`, { source, facts }),
    onSuccess: tried => onTried(source, tried),
  })
  return (
    <Flex vertical gap={8}>
      <label htmlFor={id}>{say('try-facts')}</label>
      <Input.TextArea
        id={id}
        value={facts}
        maxLength={MAX_FACTS}
        autoSize={{ minRows: 2, maxRows: 10 }}
        spellCheck={false}
        style={CODE}
        onChange={event => setFacts(event.target.value)}
      />
      <div>
        <Button loading={isPending} onClick={() => mutate()}>
          {say('step.try')}
        </Button>
      </div>
      <div aria-live="polite">
        {error && (
          <Alert
            type="error"
            title={say('try-failed')}
            description={error instanceof CallFailed ? reasonOf(error) : ''}
          />
        )}
        {data && !error && <Trace tried={data} />}
      </div>
    </Flex>
  )
}

function Trace({ tried: { error, steps, facts } }: { tried: Tried }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const words = (text: string | null) => text && <Typography.Text code>{text}</Typography.Text>
  return (
    <Flex vertical gap={8}>
      <Alert
        type={error ? 'error' : 'info'}
        title={say(error ? 'try-stopped' : 'try-done', { count: steps.length })}
        description={error ? error.message : words(facts)}
      />
      <Table
        size="small"
        pagination={false}
        scroll={{ x: 'max-content' }}
        rowKey="number"
        dataSource={steps.map((step, before) => ({ ...step, number: before + 1 }))}
        columns={[
          { title: '#', dataIndex: 'number', align: 'right' },
          { title: say('trace-node'), render: (_, { nodeId, tag }) => (tag ? `${nodeId} · ${tag}` : nodeId) },
          { title: say('trace-ms'), dataIndex: 'ms', align: 'right' },
          { title: say('trace-input'), dataIndex: 'input', render: words },
          {
            title: say('trace-output'),
            render: (_, step) =>
              step.error ? <Typography.Text type="danger">{step.error.message}</Typography.Text> : words(step.output),
          },
        ]}
      />
    </Flex>
  )
}
