import { useMutation } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { useId, useState } from 'react'
import { CallFailed, post } from '#kit/page/call.ts'
import { ReferencePicker } from '#kit/page/field/reference-picker.tsx'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { OneTimePassword, useOneTimeWindow } from '#kit/page/one-time/one-time.tsx'
import type { locale } from './locale.ts'
import { type OneTime, resource } from './model.ts'
import { RolesInput } from './roles.page.tsx'

type Values = {
  account: string
  name: string
  orgId: string
  positionId: string
  phone?: string
  roleIds: string[]
}

const WIDTH = 720
const NARROW = 520

/** Gives somebody an account, and shows the password it begins with. */
export function HireModal({ onClose }: { onClose(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const reload = useReload(resource)
  const [form] = Form.useForm<Values>()
  const name = useId()
  const [told, setTold] = useState<OneTime>()
  const shown = useOneTimeWindow(told, onClose)
  const { mutate, isPending } = useMutation({
    mutationFn: ({ phone, ...values }: Values) =>
      post<OneTime>(`/${resource.screen.name}`, { ...values, phone: phone?.trim() || null }),
    onSuccess: setTold,
    onError(error) {
      if (error instanceof CallFailed)
        form.setFields(
          Object.entries(error.fields).map(([field, message]) => ({ name: field as keyof Values, errors: [message] })),
        )
      notices.failed(error, kit('add-failed'))
    },
    onSettled: reload,
  })
  return (
    <FormModal
      title={say('step.create')}
      width={told ? NARROW : WIDTH}
      onClose={onClose}
      okText={say('do.create')}
      confirmLoading={isPending}
      onOk={form.submit}
      {...shown}
    >
      {told ? (
        <OneTimePassword told={told} />
      ) : (
        <Form
          form={form}
          name={name}
          layout="vertical"
          className="inkstone-columns"
          initialValues={{ roleIds: [] }}
          onFinish={values => mutate(values)}
        >
          <HireFields />
        </Form>
      )}
    </FormModal>
  )
}

function HireFields() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const needed = (field: 'account' | 'name' | 'orgId' | 'positionId') => ({
    name: field,
    label: say(`field.${field}`),
    rules: [{ required: true, whitespace: true, message: kit('required', { name: say(`field.${field}`) }) }],
  })
  return (
    <>
      <Form.Item {...needed('name')}>
        <Input maxLength={50} autoComplete="off" />
      </Form.Item>
      <Form.Item {...needed('account')} extra={say('help.account')}>
        <Input maxLength={50} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item {...needed('orgId')}>
        <ReferencePicker to="department" />
      </Form.Item>
      <Form.Item {...needed('positionId')} extra={say('help.positionId')}>
        <ReferencePicker to="position" />
      </Form.Item>
      <Form.Item name="phone" label={say('field.phone')}>
        <Input maxLength={30} autoComplete="off" inputMode="tel" />
      </Form.Item>
      <Form.Item name="roleIds" label={say('field.roleIds')} extra={say('help.roles')}>
        <RolesInput />
      </Form.Item>
    </>
  )
}
