import { Form, type FormInstance } from 'antd'
import { type Ref, useEffect, useImperativeHandle } from 'react'
import { metaOf, type Resource, type Shape } from '#kit/model/resource.ts'
import type { Row } from '../list/list-state.ts'
import {
  asBody,
  emptyValues,
  FormFields,
  fieldErrors,
  type Inputs,
  type IsShown,
  type Values,
  withInput,
} from './fields.tsx'

/** What a question needs of the fields in it. */
export type StepForm = {
  /** The values as the server takes them; fails, and shows where, while they are not complete. */
  read(): Promise<Values>
  showErrors(fields: Readonly<Record<string, string>>): void
}

export type StepFieldsProps = {
  resource: Resource
  input: Shape
  inputs: Inputs
  isShown: IsShown
  /** The record the step is about: fields of the same name start with its values. */
  row: Row | undefined
  form: Ref<StepForm>
}

/** The fields of a step's input, inside the question that is asked before the step. */
export function StepFields({ resource, input, inputs, isShown, row, form: handle }: StepFieldsProps) {
  const [form] = Form.useForm<Values>()
  const fields = Object.keys(input)
  const asked = withInput(resource, input)
  useImperativeHandle(handle, () => stepForm(form, asked, fields))
  const first = fields[0] as string
  useEffect(
    function beginHere() {
      form.focusField(first)
    },
    [form, first],
  )
  const known = Object.fromEntries(
    // What is masked cannot be corrected, only entered anew.
    fields.flatMap(field =>
      row && field in row && metaOf(asked, field).kind !== 'personal'
        ? [[field, (row as unknown as Values)[field]]]
        : [],
    ),
  )
  return (
    <Form form={form} layout="vertical" initialValues={{ ...emptyValues(asked, fields), ...known }}>
      <FormFields resource={asked} fields={fields} inputs={inputs} isShown={isShown} />
    </Form>
  )
}

const stepForm = (form: FormInstance<Values>, resource: Resource, fields: readonly string[]): StepForm => ({
  read: async () => asBody(resource, fields, await form.validateFields()),
  showErrors: errors => form.setFields(fieldErrors(errors)),
})
