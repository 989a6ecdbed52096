import { Button, Input, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { useScreenTexts } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'

/** The pupil is to write it again, and is told why. */
export function ReasonBack({ onSend }: { onSend(reason: string): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const sayOfScreen = useScreenTexts()
  const [reason, setReason] = useState('')
  return (
    <Popconfirm
      title={say('desk.send-back-ask')}
      description={
        <Input.TextArea
          aria-label={sayOfScreen('field.returnedFor')}
          placeholder={sayOfScreen('field.returnedFor')}
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
