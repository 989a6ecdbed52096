import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Flex, Input, Typography } from 'antd'
import { useId, useState } from 'react'
import { CallFailed, post, reasonOf } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type KnownNames, MAX_FACTS, resource, type Tried } from './model.ts'
import { RecordPicker, useMayRead } from './record-facts.page.tsx'

const CODE = { fontFamily: 'monospace' } as const

type Props = {
  source: string
  /** What the chain is for, once it is chosen. */
  event: KnownNames['events'][number] | undefined
  onTried(source: string, tried: Tried): void
}

/** Runs the chain as it is written on facts of a record or such as somebody enters, and shows each step. */
export function DryRun({ source, event, onTried }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayRead = useMayRead(event)
  const [facts, setFacts] = useState('{}')
  const id = useId()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => post<Tried>(`/${resource.screen.name}/try`, { source, facts }),
    onSuccess: tried => onTried(source, tried),
  })
  return (
    <Flex vertical gap={8}>
      <Flex gap={8} align="baseline" justify="space-between" wrap>
        <label htmlFor={id}>{say('try-facts')}</label>
        {event && mayRead && <RecordPicker key={event.name} event={event} onTaken={setFacts} />}
      </Flex>
      <Input.TextArea
        id={id}
        value={facts}
        maxLength={MAX_FACTS}
        autoSize={{ minRows: 2, maxRows: 16 }}
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
      <SmallTable
        className="rule-trace"
        rowKey="number"
        rows={steps.map((step, before) => ({ ...step, number: before + 1 }))}
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
