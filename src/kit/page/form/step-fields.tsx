import { Form, Input } from 'antd'
import { type Ref, useEffect, useImperativeHandle, useState } from 'react'
import { longText } from '#kit/model/field.ts'
import { metaOf, type Resource, type Shape } from '#kit/model/resource.ts'
import { hasText, useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { locale as kitLocale } from '../locale.ts'
import { AskInstead, type FieldErrors, useFieldErrors } from './field-errors.tsx'
import { asBody, emptyValues, FormFields } from './fields.tsx'
import { type Inputs, type IsShown, withInput } from './inputs.ts'
import { Restored, useDraft } from './use-draft.tsx'
import type { Values } from './values.ts'

/** What a question needs of the fields in it. */
export type StepForm = {
  /** The values as the server takes them; fails, and shows where, while they are not complete. */
  read(): Promise<Values>
  /** What was found wrong, and the way to ask for it where there is one. */
  showErrors(fields: FieldErrors, askInstead?: () => void): void
  /** The step was taken, or called off: what was typed is kept no longer. */
  drop(): void
}

type StepFieldsProps = {
  resource: Resource
  input: Shape
  inputs: Inputs
  isShown: IsShown
  /** The record the step is about: fields of the same name start with its values. */
  row: Row | undefined
  form: Ref<StepForm>
  /** A reason is asked for besides; told whether there is one. */
  onReason?: ((isGiven: boolean) => void) | undefined
  /** What is typed is kept under this name until it is sent. */
  draft?: string | undefined
}

const MAX_REASON = 200

/** The fields of a step's input, inside the question that is asked before the step. */
export function StepFields({
  resource,
  input,
  inputs,
  isShown,
  row,
  form: handle,
  onReason,
  draft: what,
}: StepFieldsProps) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const say = useTexts(resource.screen.name)
  const [form] = Form.useForm<Values>()
  const fields = Object.keys(input)
  const asked = withInput(resource, onReason ? { ...input, reason: longText(MAX_REASON) } : input)
  const { showErrors, notice, found } = useFieldErrors(form, asked)
  const [onAsk, setOnAsk] = useState<() => void>()
  const known = Object.fromEntries(
    // What is masked cannot be corrected, only entered anew.
    fields.flatMap(field =>
      row && field in row && metaOf(asked, field).kind !== 'personal' ? [[field, (row as Values)[field]]] : [],
    ),
  )
  const start = { ...emptyValues(asked, fields), ...known }
  const typed = onReason ? [...fields, 'reason'] : fields
  const draft = useDraft(asked, typed, what)
  const first = typed[0] as string
  useEffect(
    function beginHere() {
      form.focusField(first)
    },
    [form, first],
  )
  const reason = Form.useWatch('reason', form) as string | undefined
  const isGiven = (reason ?? '').trim() !== ''
  useEffect(
    function tellOfReason() {
      onReason?.(isGiven)
    },
    [onReason, isGiven],
  )
  useImperativeHandle(handle, () => ({
    read: async () => {
      const values = await form.validateFields()
      return { ...asBody(asked, fields, values), ...(onReason ? { reason: String(values.reason ?? '').trim() } : {}) }
    },
    showErrors: (errors, askInstead) => {
      showErrors(errors)
      setOnAsk(() => askInstead)
    },
    drop: draft.drop,
  }))
  const nameOf = (field: string) =>
    hasText(resource.screen.name, `field.${field}`) ? say(`field.${field}`) : kit('reason')
  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={start}
      onValuesChange={() => {
        draft.keep(form.getFieldsValue(true), start, 0)
        // Another value is another question: the way there would carry the old one.
        setOnAsk(undefined)
      }}
    >
      {draft.restored && <Restored draft={draft.restored} nameOf={nameOf} onDiscard={draft.drop} />}
      {notice}
      {onAsk && <AskInstead onAsk={onAsk} />}
      <FormFields resource={asked} fields={fields} inputs={inputs} isShown={isShown} found={found} />
      {onReason && (
        <Form.Item name="reason" label={kit('reason')} required>
          <Input.TextArea maxLength={MAX_REASON} showCount rows={2} />
        </Form.Item>
      )}
    </Form>
  )
}
