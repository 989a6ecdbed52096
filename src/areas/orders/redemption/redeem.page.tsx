import { Form } from 'antd'
import { useState } from 'react'
import { receiver } from '#areas/orders/order/model.ts'
import { GrantList } from '#engines/entitlement/grants.page.tsx'
import { reference as ref } from '#kit/model/field.ts'
import { CallFailed, post } from '#kit/page/call.ts'
import { doOnce } from '#kit/page/deed.ts'
import { useFieldErrors } from '#kit/page/form/field-errors.tsx'
import { FormFields } from '#kit/page/form/fields.tsx'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { withInput } from '#kit/page/form/inputs.ts'
import type { Values } from '#kit/page/form/values.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import type { locale } from './locale.ts'
import { type FoundCode, resource } from './model.ts'

type Props = { code: string; what: FoundCode; onClose(): void; onDone(): void }

const ASKED = withInput(resource, { memberId: ref('member'), ...receiver })

/** For whom, and where to, when the code holds goods. */
export function RedeemModal({ code, what, onClose, onDone }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const [form] = Form.useForm<Values>()
  const { showErrors, notice } = useFieldErrors(form, ASKED)
  const [busy, setBusy] = useState(false)
  const hasGoods = what.grants.some(({ kind }) => kind === 'GOODS')
  const send = async () => {
    const values = await form.validateFields()
    setBusy(true)
    try {
      // A modal pressed twice redeems once, as one that got no answer; one that was refused may be tried with other words.
      await doOnce(`${resource.screen.name} ${code}`, idempotencyKey =>
        post(`/${resource.screen.name}/redeem`, { code, ...values }, { idempotencyKey }),
      )
      notices.done(say('redeem-done'))
      onDone()
    } catch (error) {
      if (error instanceof CallFailed) showErrors(error.fields)
      notices.failed(error, kit('submit-failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormModal
      title={`${say('redeem')} · ${what.batchName}`}
      width={560}
      okText={say('redeem')}
      confirmLoading={busy}
      onClose={onClose}
      onOk={() => void send().catch(() => {})}
    >
      <p>{say('redeem-text')}</p>
      <div style={{ marginBottom: 16 }}>
        <GrantList grants={what.grants} />
      </div>
      <Form form={form} layout="vertical">
        {notice}
        <FormFields
          resource={ASKED}
          fields={['memberId', ...(hasGoods ? Object.keys(receiver) : [])]}
          inputs={NONE}
          isShown={() => true}
        />
      </Form>
    </FormModal>
  )
}

const NONE = {}
