import { useMutation } from '@tanstack/react-query'
import { Form, Input, Typography } from 'antd'
import { useId, useState } from 'react'
import { post } from '#kit/page/call.ts'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { OneTimePassword, useOneTimeWindow } from '#kit/page/one-time/one-time.tsx'
import type { locale } from './locale.ts'
import { type OneTime, resource } from './model.ts'

/** Asks why, then shows the new password once. */
export function ResetModal({ id, onClose }: { id: string; onClose(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const reload = useReload(resource)
  const [form] = Form.useForm<{ reason: string }>()
  const name = useId()
  const [told, setTold] = useState<OneTime>()
  const shown = useOneTimeWindow(told, onClose)
  const { mutate, isPending } = useMutation({
    mutationFn: (values: { reason: string }) => post<OneTime>(`/${resource.screen.name}/${id}/resetPassword`, values),
    onSuccess: setTold,
    onError: error => notices.failed(error, say('reset-failed')),
    onSettled: reload,
  })
  return (
    <FormModal
      title={say('step.resetPassword')}
      onClose={onClose}
      okText={say('reset-now')}
      okButtonProps={{ danger: true }}
      confirmLoading={isPending}
      onOk={form.submit}
      {...shown}
    >
      {told ? (
        <OneTimePassword told={told} />
      ) : (
        <Form form={form} name={name} layout="vertical" onFinish={values => mutate(values)}>
          <Typography.Paragraph>{say('ask.resetPassword')}</Typography.Paragraph>
          <Form.Item
            name="reason"
            label={say('reason')}
            rules={[{ required: true, whitespace: true, message: kit('required', { name: say('reason') }) }]}
          >
            <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
          </Form.Item>
        </Form>
      )}
    </FormModal>
  )
}
