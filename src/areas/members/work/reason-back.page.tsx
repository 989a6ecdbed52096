import { Button, Input, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** The pupil is to write it again, and is told why. */
export function ReasonBack({ onSend }: { onSend(reason: string): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [reason, setReason] = useState('')
  return (
    <Popconfirm
      title={say('desk.send-back-ask')}
      description={
        <Input.TextArea
          aria-label={say('field.returnedFor')}
          placeholder={say('field.returnedFor')}
          value={reason}
          maxLength={200}
          onChange={({ target }) => setReason(target.value)}
        />
      }
      okButtonProps={{ disabled: reason.trim() === '' }}
      onConfirm={() => onSend(reason.trim())}
    >
      <Button size="small" danger>
        {say('desk.send-back')}
      </Button>
    </Popconfirm>
  )
}
