import { useMutation } from '@tanstack/react-query'
import { Form } from 'antd'
import { useId, useState } from 'react'
import type { Resource, Shape } from '#kit/model/resource.ts'
import { CallFailed, post } from '../call.ts'
import { useFieldErrors } from '../form/field-errors.tsx'
import { asBody, emptyValues, FormFields } from '../form/fields.tsx'
import { FormModal } from '../form/form-modal.tsx'
import { type Inputs, withInput } from '../form/inputs.ts'
import type { Values } from '../form/values.ts'
import { useTexts } from '../language.ts'
import { useReload } from '../list/list-state.ts'
import type { locale as kitLocale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { OneTimePassword, type Told, useOneTimeWindow } from './one-time.tsx'

const always = () => true
const WIDTH = 720
const NARROW = 520

type Props = {
  resource: Resource
  /** What is asked for, in this order, of the record and besides. */
  fields: readonly string[]
  asked: Shape
  inputs: Inputs
  initial?: Values
  onClose(): void
}

/** Adds somebody who will sign in, and shows in the same window the password that begins with. */
export function OneTimeForm({ resource, fields, asked, inputs, initial, onClose }: Props) {
  const say = useTexts(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const reload = useReload(resource)
  const [form] = Form.useForm<Values>()
  const name = useId()
  const record = withInput(resource, asked)
  const { showErrors, notice, found } = useFieldErrors(form, record)
  const [told, setTold] = useState<Told>()
  const shown = useOneTimeWindow(told, onClose)
  const { mutate, isPending } = useMutation({
    mutationFn: (values: Values) => post<Told>(`/${resource.screen.name}`, asBody(record, fields, values)),
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
          initialValues={{ ...emptyValues(record, fields), ...initial }}
          onFinish={values => mutate(values)}
        >
          {notice}
          <FormFields resource={record} fields={fields} inputs={inputs} isShown={always} found={found} />
        </Form>
      )}
    </FormModal>
  )
}
