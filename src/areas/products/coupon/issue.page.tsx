import { useMutation, useQuery } from '@tanstack/react-query'
import { Form, Segmented, Typography } from 'antd'
import { useId, useState } from 'react'
import { MAX_DICTIONARY_TAGS } from '#kit/model/contract.ts'
import { post } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { ReferencePicker, ReferencesPicker } from '#kit/page/field/reference-picker.tsx'
import { Several } from '#kit/page/field/tab-leaves.tsx'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { IssuedList } from './issued.page.tsx'
import { type Audience, type Issued, MAX_CHOSEN } from './issuing.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

type Values = Audience & { couponId?: string; to: 'chosen' | 'audience'; memberIds: string[] }
const EMPTY: Omit<Values, 'couponId'> = {
  to: 'chosen',
  memberIds: [],
  levels: [],
  channels: [],
  tags: [],
  ownerIds: [],
}
const WIDTH = 640

/** Gives a coupon to members, chosen one by one or by what they have in common, and shows what became of each. */
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
    mutationFn: ({ couponId: id, to, memberIds, ...audience }: Values) =>
      post<Issued>(`/${resource.screen.name}/${id}/issue`, to === 'chosen' ? { memberIds } : { audience }, {
        idempotencyKey: key,
      }),
    onSuccess: setIssued,
    onError: error => notices.failed(error, say('issue-failed')),
    // What was answered is settled; the next press means something new.
    onSettled: () => {
      setKey(crypto.randomUUID())
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

function AudienceFields() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <>
      <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', columnGap: 16 }}>
        <Form.Item name="levels" label={say('audience.levels')}>
          <Entries code="MEMBER_LEVEL" />
        </Form.Item>
        <Form.Item name="channels" label={say('audience.channels')}>
          <Entries code="CHANNEL" />
        </Form.Item>
        <Form.Item name="tags" label={say('audience.tags')}>
          <Entries code="MEMBER_TAG" />
        </Form.Item>
        <Form.Item name="ownerIds" label={say('audience.ownerIds')}>
          <ReferencesPicker to="staff" />
        </Form.Item>
      </div>
      <Typography.Paragraph type="secondary">{say('audience-help')}</Typography.Paragraph>
      <AudienceSize />
    </>
  )
}

type EntriesProps = { code: string; id?: string; value?: string[]; onChange?: (values: string[]) => void }

function Entries({ code, ...control }: EntriesProps) {
  const options = useDictionary(code).map(({ k, v }) => ({ value: v, label: k }))
  return <Several {...control} options={options} maxTagCount={MAX_DICTIONARY_TAGS} allowClear />
}

/** How many it would reach, before anybody gets anything. */
function AudienceSize() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { levels, channels, tags, ownerIds } = { ...EMPTY, ...Form.useWatch([], Form.useFormInstance<Values>()) }
  const audience: Audience = { levels, channels, tags, ownerIds }
  const isNamed = Object.values(audience).some(part => part.length > 0)
  const { data, error } = useQuery({
    queryKey: [resource.screen.name, 'audience', audience],
    queryFn: ({ signal }) => post<{ members: number }>(`/${resource.screen.name}/audience`, audience, { signal }),
    enabled: isNamed,
    retry: false,
  })
  if (!isNamed) return null
  if (error) return <Typography.Text type="danger">{error.message}</Typography.Text>
  return data && <Typography.Text strong>{say('audience-size', { count: data.members })}</Typography.Text>
}
