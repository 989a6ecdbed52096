import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import type * as z from 'zod'
import { type Strength, strengthOf } from '#kit/model/password.ts'
import { CallFailed, get, post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import type { locale as rulesLocale } from '#kit/page/rules/locale.ts'
import { useRules } from '#kit/page/rules.ts'
import { useTab } from '#kit/page/tab.ts'
import { loadUser, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import { Center } from '../center.page.tsx'
import type { locale } from './locale.ts'
import type { passwordRules } from './model.ts'

const SCREEN = area.screens['settings-password']
type Values = { oldPassword: string; password: string; repeat: string }

export function Page() {
  const say = useTexts<typeof locale>(SCREEN.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const rules = useRules()
  const notices = useNotices()
  const tab = useTab()
  const [form] = Form.useForm<Values>()
  const [sending, setSending] = useState(false)
  const typed = Form.useWatch('password', form) ?? ''
  const { data: asked } = useQuery({
    queryKey: [SCREEN.name],
    queryFn: ({ signal }) => get<z.infer<typeof passwordRules>>(`/${SCREEN.name}`, { signal }),
  })

  const change = async ({ oldPassword, password }: Values) => {
    setSending(true)
    try {
      await post(`/${SCREEN.name}`, { oldPassword, password })
      form.resetFields()
      tab.setUnsaved(false)
      notices.done(say('others-ended'))
      const wasForced = useUser.getState().info?.mustChangePassword
      await loadUser()
      // Whoever had to change it first came here for something else.
      if (wasForced) tab.open('/')
    } catch (error) {
      if (error instanceof CallFailed)
        form.setFields(
          Object.entries(error.fields).map(([name, message]) => ({ name: name as keyof Values, errors: [message] })),
        )
      notices.failed(error, kit('edit-failed'))
    } finally {
      setSending(false)
    }
  }

  return (
    <Center screen={SCREEN}>
      <Form
        form={form}
        layout="vertical"
        onFinish={change}
        onValuesChange={() => tab.setUnsaved(true)}
        requiredMark={false}
      >
        <Form.Item
          name="oldPassword"
          label={say('field.oldPassword')}
          rules={[{ required: true, message: kit('required', { name: say('field.oldPassword') }) }]}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <Form.Item
          name="password"
          label={say('field.password')}
          rules={rules.password()}
          extra={<Help typed={typed} asked={asked} />}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="repeat"
          label={say('field.repeat')}
          dependencies={['password']}
          rules={rules.repeated('password')}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={sending}>
          {say('change')}
        </Button>
      </Form>
    </Center>
  )
}

const BARS: Readonly<Record<Strength, { filled: number; colour: string }>> = {
  'too-short': { filled: 0, colour: 'transparent' },
  low: { filled: 1, colour: 'var(--ant-color-error)' },
  medium: { filled: 2, colour: 'var(--ant-color-warning)' },
  strong: { filled: 3, colour: 'var(--ant-color-success)' },
}

/** How strong it looks while one types, and what the server will ask of it. */
function Help({ typed, asked }: { typed: string; asked: z.infer<typeof passwordRules> | undefined }) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const words = useTexts<typeof rulesLocale>('kit/page/rules')
  const strength = strengthOf(typed)
  const { filled, colour } = BARS[strength]
  return (
    <>
      {typed !== '' && (
        <div className="center-strength" role="status">
          {[0, 1, 2].map(bar => (
            <i key={bar} style={bar < filled ? { background: colour } : {}} />
          ))}
          {words(`strength.${strength}`)}
        </div>
      )}
      {asked && say(asked.classes > 1 ? 'help.classes' : 'help.min', { min: asked.min, classes: asked.classes })}
      {asked && asked.remembered > 1 && <div>{say('help.remembered', { count: asked.remembered })}</div>}
    </>
  )
}
