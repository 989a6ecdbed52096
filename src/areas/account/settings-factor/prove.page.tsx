import { Form, Input, Typography } from 'antd'
import { useId, useState } from 'react'
import { CallFailed } from '#kit/page/call.ts'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'

/** What somebody is about to do with his second factor. */
export type Asked = 'on' | 'off' | 'new-device' | 'new-codes'
export type Proof = { password: string; code: string }

const TITLES = { on: 'turn-on', off: 'turn-off', 'new-device': 'new-device', 'new-codes': 'new-codes' } as const

type Props = { asked: Asked; onProven(proof: Partial<Proof>): Promise<void>; onClose(): void }

/** Asks for the password, and for a code where there is a second factor already. */
export function ProveModal({ asked, onProven, onClose }: Props) {
  const say = useTexts<typeof locale>(area.screens['settings-factor'].name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const [form] = Form.useForm<Proof>()
  const name = useId()
  const [isSending, setSending] = useState(false)
  const send = async (proof: Proof) => {
    setSending(true)
    try {
      await onProven(proof)
      onClose()
    } catch (error) {
      if (error instanceof CallFailed)
        form.setFields(
          Object.entries(error.fields).map(([field, message]) => ({ name: field as keyof Proof, errors: [message] })),
        )
      notices.failed(error, say('failed'))
      setSending(false)
    }
  }
  const needed = (field: keyof Proof) => ({
    name: field,
    label: say(field),
    rules: [{ required: true, whitespace: true, message: kit('required', { name: say(field) }) }],
  })
  return (
    <FormModal
      title={say(TITLES[asked])}
      okText={asked === 'on' || asked === 'new-device' ? say('go') : say(TITLES[asked])}
      okButtonProps={{ danger: asked === 'off' }}
      confirmLoading={isSending}
      onOk={form.submit}
      onClose={onClose}
    >
      <Form form={form} name={name} layout="vertical" requiredMark={false} onFinish={send}>
        <Typography.Paragraph>{say(`ask-${asked}`)}</Typography.Paragraph>
        <Form.Item {...needed('password')}>
          <Input.Password autoComplete="current-password" autoFocus />
        </Form.Item>
        {asked !== 'on' && (
          <Form.Item {...needed('code')} extra={say('code-help')}>
            <Input autoComplete="one-time-code" maxLength={50} />
          </Form.Item>
        )}
      </Form>
    </FormModal>
  )
}
