import { useMutation } from '@tanstack/react-query'
import { Form } from 'antd'
import { useId, useState } from 'react'
import { CallFailed, post } from '#kit/page/call.ts'
import { useFieldErrors } from '#kit/page/form/field-errors.tsx'
import { asBody, emptyValues, FormFields } from '#kit/page/form/fields.tsx'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { wide, withInput } from '#kit/page/form/inputs.ts'
import type { Values } from '#kit/page/form/values.ts'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { OneTimePassword, useOneTimeWindow } from '#kit/page/one-time/one-time.tsx'
import type { locale } from './locale.ts'
import { newStaff, type OneTime, resource } from './model.ts'
import { PositionsInput } from './positions-input.page.tsx'

const ASKED = withInput(resource, { account: newStaff.shape.account })
const FIELDS = ['name', 'account', ...resource.edit.filter(field => field !== 'name')]
const INPUTS = { positions: wide(() => <PositionsInput />) }
const always = () => true
const WIDTH = 720
const NARROW = 520

/** Takes somebody in, and shows the password it begins with. */
export function HireModal({ onClose }: { onClose(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const reload = useReload(resource)
  const [form] = Form.useForm<Values>()
  const name = useId()
  const { showErrors, notice, found } = useFieldErrors(form, ASKED)
  const [told, setTold] = useState<OneTime>()
  const shown = useOneTimeWindow(told, onClose)
  const { mutate, isPending } = useMutation({
    mutationFn: (values: Values) => post<OneTime>(`/${resource.screen.name}`, asBody(ASKED, FIELDS, values)),
    onSuccess: setTold,
    onError(error) {
      if (error instanceof CallFailed) showErrors(error.fields)
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
          initialValues={{ ...emptyValues(ASKED, FIELDS), gender: 'UK' }}
          onFinish={values => mutate(values)}
        >
          {notice}
          <FormFields resource={ASKED} fields={FIELDS} inputs={INPUTS} isShown={always} found={found} />
        </Form>
      )}
    </FormModal>
  )
}
