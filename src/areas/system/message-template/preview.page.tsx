import { Card, Typography } from 'antd'
import { fillIn, partsOf, samplesOf } from '#engines/message/model.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type MessageTemplate, resource } from './model.ts'

type Shown = Pick<MessageTemplate, 'channel' | 'title' | 'body' | 'variables'>

/** A template filled with its samples, as it arrives; of a text message also what it is billed as. */
export function Preview({ channel, title, body, variables }: Shown) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const samples = samplesOf(variables)
  const text = fillIn(body, samples)
  return (
    <Card size="small" title={say('preview')} style={{ maxWidth: 480 }}>
      {channel !== 'SMS' && <Typography.Text strong>{fillIn(title, samples)}</Typography.Text>}
      <p style={{ whiteSpace: 'pre-wrap', margin: 0, overflowWrap: 'anywhere' }}>{text}</p>
      {channel === 'SMS' && (
        <Typography.Text type="secondary">{say('parts', { count: text.length, parts: partsOf(text) })}</Typography.Text>
      )}
    </Card>
  )
}
