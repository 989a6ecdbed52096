import { Alert, Flex, Input } from 'antd'
import { useId, useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type OfficialAccount, resource } from './model.ts'
import { replyTo } from './replies.model.ts'

/** What somebody would get who types this: by the same rule as on the server, and nobody is sent anything. */
export function TryReply({ row: { replies } }: { row: OfficialAccount }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [typed, type] = useState('')
  const id = useId()
  const found = replyTo(replies, typed)
  return (
    <Flex vertical gap={12} style={{ maxWidth: 560 }}>
      <div>
        <label htmlFor={id}>{say('try-typed')}</label>
        <Input
          id={id}
          value={typed}
          maxLength={200}
          placeholder={say('try-example')}
          onChange={event => type(event.target.value)}
          style={{ marginBlockStart: 4 }}
        />
      </div>
      {typed.trim() !== '' && (
        <Alert
          role="status"
          type={found ? 'success' : 'info'}
          title={
            found
              ? say('try-found', { keyword: found.keyword, match: say(`match.${found.match}`) })
              : say('try-nothing')
          }
          description={found && <span style={{ whiteSpace: 'pre-wrap' }}>{found.reply}</span>}
        />
      )}
    </Flex>
  )
}
