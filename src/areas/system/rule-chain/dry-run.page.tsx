import { Alert, Flex, Typography } from 'antd'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { useTexts } from '#kit/page/language.ts'
import { TryOut } from '../try-out.page.tsx'
import type { locale } from './locale.ts'
import { type KnownNames, MAX_FACTS, resource, type Tried } from './model.ts'
import { RecordPicker, useMayRead } from './record-facts.page.tsx'

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
  return (
    <TryOut<Tried>
      path={`/${resource.screen.name}/try`}
      sent={{ source }}
      begin="{}"
      max={MAX_FACTS}
      rows={16}
      words={{ facts: say('try-facts'), run: say('step.try'), failed: say('try-failed') }}
      {...(event && mayRead && { taken: take => <RecordPicker key={event.name} event={event} onTaken={take} /> })}
      onTried={tried => onTried(source, tried)}
    >
      {tried => <Trace tried={tried} />}
    </TryOut>
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
