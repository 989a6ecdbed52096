import { useMutation } from '@tanstack/react-query'
import { Form, Segmented, Typography } from 'antd'
import { useId, useState } from 'react'
import { AudienceInput } from '#engines/audience/audience-input.page.tsx'
import { isPartShown, type Wish } from '#engines/audience/model.ts'
import { isPassing, post } from '#kit/page/call.ts'
import { ReferencePicker, ReferencesPicker } from '#kit/page/field/reference-picker.tsx'
import { asBody, FormFields } from '#kit/page/form/fields.tsx'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { withInput } from '#kit/page/form/inputs.ts'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { IssuedList } from './issued.page.tsx'
import { audience, type Issued, MAX_CHOSEN, type Reach } from './issuing.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

const AUDIENCE = Object.keys(audience.shape)
type Values = Partial<Wish> & { couponId?: string; to: 'chosen' | 'audience'; memberIds: string[] }
const EMPTY: Values = { to: 'chosen', memberIds: [] }
const WIDTH = 640

/** Gives a coupon to members, chosen one by one or as an audience, and shows what became of each. */
export function IssueModal({ couponId, onClose }: { couponId: string | undefined; onClose(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const reload = useReload(resource)
  const [form] = Form.useForm<Values>()
  const name = useId()
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [issued, setIssued] = useState<Issued>()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ couponId: id, to, memberIds, ...wish }: Values) =>
      post<Issued>(
        `/${resource.screen.name}/${id}/issue`,
        to === 'chosen' ? { memberIds } : { audience: asBody(withInput(resource, audience.shape), AUDIENCE, wish) },
        { idempotencyKey: key },
      ),
    onSuccess: setIssued,
    onError: error => notices.failed(error, say('issue-failed')),
    // What was answered is settled; the next press means something new. What was not may have been done: it is asked again.
    onSettled: (_, error) => {
      if (!error || !isPassing(error)) setKey(crypto.randomUUID())
      reload()
    },
  })
  const again = () => {
    form.setFieldsValue({ memberIds: [] })
    setIssued(undefined)
  }
  return (
    <FormModal
      width={WIDTH}
      title={say('issue-title')}
      isDone={issued !== undefined}
      onClose={onClose}
      okText={issued ? say('issue-again') : say('issue-now')}
      {...(issued && { cancelText: kit('close') })}
      confirmLoading={isPending}
      onOk={issued ? again : form.submit}
    >
      {issued && <IssuedList issued={issued} />}
      <Form
        form={form}
        // Tells its fields from those of the record's own form, which may stand below.
        name={name}
        layout="vertical"
        style={{ marginTop: 16 }}
        hidden={issued !== undefined}
        initialValues={{ ...EMPTY, couponId }}
        onFinish={values => mutate({ ...EMPTY, ...values })}
      >
        <IssueFields />
      </Form>
    </FormModal>
  )
}

function IssueFields() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const to = Form.useWatch<Values['to'] | undefined>('to', Form.useFormInstance<Values>())
  const needed = (name: string) => [{ required: true, message: kit('required', { name }) }]
  return (
    <>
      <Form.Item name="couponId" label={say('issue-coupon')} rules={needed(say('issue-coupon'))}>
        <ReferencePicker to="coupon" />
      </Form.Item>
      <Form.Item name="to" label={say('issue-to')}>
        <Segmented
          options={[
            { value: 'chosen', label: say('issue-chosen') },
            { value: 'audience', label: say('issue-audience') },
          ]}
        />
      </Form.Item>
      {to === 'audience' ? (
        <AudienceFields />
      ) : (
        <Form.Item
          name="memberIds"
          label={say('issue-members')}
          extra={say('issue-members-help', { max: MAX_CHOSEN })}
          rules={[...needed(say('issue-members')), { type: 'array', max: MAX_CHOSEN }]}
        >
          <ReferencesPicker to="member" />
        </Form.Item>
      )}
    </>
  )
}

/** The same as wherever an audience is chosen; how many that are is counted by the coupon. */
function AudienceFields() {
  return (
    <FormFields
      resource={withInput(resource, audience.shape)}
      fields={AUDIENCE}
      inputs={{ numbers: () => <RecipientsInput /> }}
      isShown={(field, { audienceBy }) => isPartShown(field, audienceBy)}
    />
  )
}

type Pasted = { id?: string; value?: string; onChange?: (numbers: string) => void }

function RecipientsInput(pasted: Pasted) {
  return (
    <AudienceInput<Reach>
      {...pasted}
      screen={resource.screen.name}
      counted={({ couponId }) => (couponId === undefined ? undefined : { couponId })}
      told={reached => <ReachTold reach={reached} />}
    />
  )
}

/** How many would get one, before anybody does. */
function ReachTold({ reach: { toIssue, limit, usedUp } }: { reach: Reach }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <>
      <Typography.Text strong>{say('reach-issue', { count: toIssue })}</Typography.Text>
      {limit > 0 && <div className="inkstone-note">{say('reach-limit', { count: limit })}</div>}
      {usedUp > 0 && <div className="inkstone-note">{say('reach-used-up', { count: usedUp })}</div>}
    </>
  )
}
