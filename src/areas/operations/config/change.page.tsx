import { Form, Input, InputNumber, Radio } from 'antd'
import { useState } from 'react'
import { type Unit, whyNotValue } from '#kit/model/setting.ts'
import { CallFailed, post } from '#kit/page/call.ts'
import { doOnce } from '#kit/page/deed.ts'
import { MoneyInput } from '#kit/page/field/input.tsx'
import { WHOLE } from '#kit/page/figures.ts'
import { useFieldErrors } from '#kit/page/form/field-errors.tsx'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import type { Values } from '#kit/page/form/values.ts'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import { inUnit, resource } from './model.ts'
import type { Entering } from './settings.page.tsx'

const MAX_REASON = 200

/** A new value with its reason: says beforehand what follows, and beside the field what does not fit. */
export function ChangeModal({ setting, value, reason = '', onClose }: Entering & { onClose(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const tab = useTab()
  const reload = useReload(resource)
  const [form] = Form.useForm<Values>()
  const { showErrors, notice } = useFieldErrors(form, resource)
  const [busy, setBusy] = useState(false)
  const { key, name, unit, min, max, money, change } = setting
  const figure = (of: number) => inUnit(say, unit, of)
  const fits = (entered: unknown): entered is number => !whyNotValue(setting, entered)
  const entered = Form.useWatch('value', form)
  const verb = money ? ('propose' as const) : ('change' as const)
  const bounds = { min: figure(min), max: figure(max) }
  const isWrong = entered !== undefined && entered !== null && !fits(entered)

  const send = async () => {
    const given = await form.validateFields()
    setBusy(true)
    try {
      const body = { key, value: given.value, reason: given.reason, basedOn: change?.id ?? null }
      // Pressed twice it is entered once, also where the first got no answer; what was refused may be tried with another value.
      const { id } = await doOnce(`${resource.screen.name} ${key} ${change?.id}`, idempotencyKey =>
        post<{ id: string }>(`/${resource.screen.name}`, body, { idempotencyKey }),
      )
      const open = () => tab.change({ view: 'changes', setting: undefined, open: id }, 'push')
      notices.done(
        say(`${verb === 'propose' ? 'proposed' : 'changed'}-ok`, { name, value: figure(Number(given.value)) }),
        { open },
      )
      onClose()
    } catch (error) {
      if (error instanceof CallFailed) showErrors(error.fields)
      notices.failed(error, say('change-failed'))
    } finally {
      setBusy(false)
      // Refused or not: somebody else may have been quicker.
      reload()
    }
  }
  return (
    <FormModal
      title={say(`${verb}-title`, { name })}
      width={520}
      okText={fits(entered) ? say(`do-${verb}`, { value: figure(entered) }) : say('do-nothing')}
      confirmLoading={busy}
      onClose={onClose}
      onOk={() => void send().catch(() => {})}
    >
      <p>{setting.help}</p>
      <dl className="config-now">
        <dt>{say('now-in-force')}</dt>
        <dd>{figure(setting.value)}</dd>
        <dd>{say('default-value', { value: figure(setting.default) })}</dd>
      </dl>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ value, reason }}
        onKeyDown={event => {
          if ((event.metaKey || event.ctrlKey) && event.key === 'Enter') void send().catch(() => {})
        }}
      >
        {notice}
        <Form.Item
          name="value"
          label={say('field.value')}
          required
          // What is wrong is said once, in its place.
          extra={isWrong || unit === 'switch' ? undefined : say('range', bounds)}
          rules={[
            {
              async validator(_, typed) {
                if (!fits(typed)) throw new Error(say('out-of-range', bounds))
                if (typed === setting.value) throw new Error(say('same-value'))
              },
            },
          ]}
        >
          <FigureInput unit={unit} />
        </Form.Item>
        <Form.Item
          name="reason"
          label={say('field.reason')}
          required
          extra={say('reason-help')}
          rules={[{ whitespace: true, required: true, message: kit('required', { name: say('field.reason') }) }]}
        >
          <Input.TextArea autoSize={{ minRows: 2, maxRows: 5 }} maxLength={MAX_REASON} showCount />
        </Form.Item>
      </Form>
      <p className="config-follows">{say(money ? 'waits-for-second' : 'holds-at-once')}</p>
    </FormModal>
  )
}

/** The form it stands in gives it the rest: id, value and change. */
function FigureInput({ unit, ...control }: { unit: Unit }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (unit === 'fen') return <MoneyInput {...control} />
  if (unit === 'switch')
    return (
      <Radio.Group
        {...control}
        optionType="button"
        options={[0, 1].map(value => ({ value, label: inUnit(say, unit, value) }))}
      />
    )
  return <InputNumber autoFocus {...WHOLE} suffix={say(`unit.${unit}`)} style={{ width: '100%' }} {...control} />
}
