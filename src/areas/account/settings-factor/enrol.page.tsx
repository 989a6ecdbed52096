import { Button, Form, Input, Space, Typography } from 'antd'
import { useState } from 'react'
import { Squares } from '#engines/copybook/squares.page.tsx'
import { CallFailed, post } from '#kit/page/call.ts'
import { useCopy } from '#kit/page/clipboard.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import type { BegunFactor, RecoveryCodes } from './model.ts'

const SCREEN = area.screens['settings-factor']

type Props = { begun: BegunFactor; onDone(codes: readonly string[]): void; onGiveUp(): void }

/** The secret, to be scanned or typed, and the code that shows it has arrived. */
export function Enrol({ begun: { secret, squares }, onDone, onGiveUp }: Props) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const copy = useCopy()
  const [form] = Form.useForm<{ code: string }>()
  const [isSending, setSending] = useState(false)
  const confirm = async ({ code }: { code: string }) => {
    setSending(true)
    try {
      onDone((await post<RecoveryCodes>(`/${SCREEN.name}/confirm`, { code })).codes)
    } catch (error) {
      if (error instanceof CallFailed && error.fields.code)
        form.setFields([{ name: 'code', errors: [error.fields.code] }])
      notices.failed(error, say('failed'))
      setSending(false)
    }
  }
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={confirm}>
      <h3>{say('scan-title')}</h3>
      <p>{say('scan')}</p>
      <Squares squares={squares} title={say('picture')} />
      <p>
        {say('by-hand')}{' '}
        <Typography.Text className="inkstone-code" style={{ userSelect: 'all', overflowWrap: 'anywhere' }}>
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </Typography.Text>{' '}
        <Button size="small" type="link" onClick={() => void copy(secret)}>
          {say('copy-secret')}
        </Button>
      </p>
      <Form.Item
        name="code"
        label={say('enter-code')}
        rules={[{ required: true, whitespace: true, message: kit('required', { name: say('code') }) }]}
      >
        <Input autoComplete="one-time-code" inputMode="numeric" maxLength={7} autoFocus />
      </Form.Item>
      <Space>
        <Button type="primary" htmlType="submit" loading={isSending}>
          {say('confirm')}
        </Button>
        <Button onClick={onGiveUp}>{kit('cancel')}</Button>
      </Space>
    </Form>
  )
}
