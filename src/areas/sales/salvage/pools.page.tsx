import { useMutation, useQuery } from '@tanstack/react-query'
import { Form, Input, InputNumber, Segmented, Select, Skeleton, Switch, Typography } from 'antd'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { get, post, put } from '#kit/page/call.ts'
import { ReferencesPicker } from '#kit/page/field/reference-picker.tsx'
import { Several } from '#kit/page/field/tab-leaves.tsx'
import { WHOLE } from '#kit/page/figures.ts'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { LEVELS } from './levels.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { MOST_HOURS, type PoolBody, type PoolView } from './pools.model.ts'

const WIDTH = 720
const GRID = { display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(200px, 1fr))', columnGap: 16 } as const
const NEW = 'new'
const EMPTY: PoolBody = {
  name: '',
  isOpen: true,
  claimsADay: 20,
  viewsADay: 100,
  capacity: 200,
  sparesTrial: true,
  uncountedLevels: [],
  coolDownDays: 7,
  embargoHours: 0,
  noContactDays: 7,
  noContactDaysA: null,
  noContactDaysB: null,
  noContactDaysC: null,
  noContactDaysD: null,
  noDealDays: null,
  needsBoth: false,
  sparedLevels: [],
  warnDays: 1,
  returnsToId: null,
  unclaimedHours: 48,
  unansweredHours: 24,
  claimerIds: [],
  adminIds: [],
}
const BY_LEVEL = ['noContactDaysA', 'noContactDaysB', 'noContactDaysC', 'noContactDaysD'] as const
const PATH = `/${resource.screen.name}/pool`

/** The pools: who may claim from each, how much, and when it takes back what nobody follows. */
export function Pools({ onClose }: { onClose(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'pool'],
    queryFn: ({ signal }) => get<PoolView[]>(PATH, { signal }),
  })
  const [chosen, choose] = useState<string>()
  const id = chosen ?? data?.[0]?.id ?? NEW
  const pool = data?.find(one => one.id === id)
  const isOfOthers = pool?.mayChange === false
  const notices = useNotices()
  const reload = useReload(resource)
  const [form] = Form.useForm<PoolBody>()
  const { mutate, isPending } = useMutation({
    mutationFn: (body: PoolBody) =>
      pool
        ? put<{ id: string }>(`${PATH}/${pool.id}`, { ...body, version: pool.version })
        : post<{ id: string }>(PATH, body),
    onSuccess: async stored => {
      notices.done(say('pool-saved'))
      await refetch()
      choose(stored.id)
      reload()
    },
    onError: problem => notices.failed(problem, say('pool-failed')),
  })
  return (
    <FormModal
      width={WIDTH}
      title={say('pools')}
      onClose={onClose}
      okText={say('pool-save')}
      confirmLoading={isPending}
      okButtonProps={{ disabled: isOfOthers }}
      onOk={form.submit}
    >
      <Typography.Paragraph type="secondary">{say('pools-help')}</Typography.Paragraph>
      {error && !data && <LoadFailed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <>
          <Segmented
            value={id}
            onChange={choose}
            options={[
              ...data.map(one => ({
                value: one.id,
                label: `${one.isDefault ? say('pool-default', { name: one.name }) : one.name} · ${say('pool-waiting', { count: one.waiting })}`,
              })),
              { value: NEW, label: say('pool-add') },
            ]}
          />
          {isOfOthers && (
            <Typography.Paragraph type="warning" style={{ marginTop: 16 }}>
              {say('pool-of-others')}
            </Typography.Paragraph>
          )}
          <PoolForm
            key={`${id} ${pool?.version}`}
            form={form}
            pool={pool ?? EMPTY}
            isOfOthers={isOfOthers}
            others={data.filter(one => one.id !== id && (one.isOpen || one.id === pool?.returnsToId))}
            onFinish={mutate}
          />
        </>
      )}
    </FormModal>
  )
}

type FormProps = {
  form: ReturnType<typeof Form.useForm<PoolBody>>[0]
  pool: PoolBody
  /** Some of its people are beyond the reach of whoever looks at it. */
  isOfOthers: boolean
  /** Where what it takes back may go instead. */
  others: readonly PoolView[]
  onFinish(body: PoolBody): void
}

function PoolForm({ form, pool, isOfOthers, others, onFinish }: FormProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const name = useId()
  useEffect(
    function beginAnew() {
      // The form is the window's: what was entered for another pool is not meant for this one.
      form.resetFields()
    },
    [form],
  )
  return (
    <Form
      form={form}
      name={name}
      layout="vertical"
      disabled={isOfOthers}
      style={{ marginTop: 16 }}
      initialValues={Object.fromEntries(Object.keys(EMPTY).map(field => [field, pool[field as keyof PoolBody]]))}
      onFinish={values => onFinish({ ...EMPTY, ...values, returnsToId: values.returnsToId ?? null })}
    >
      <div style={GRID}>
        <Form.Item
          name="name"
          label={say('pool.name')}
          rules={[{ required: true, message: kit('required', { name: say('pool.name') }) }]}
        >
          <Input maxLength={50} />
        </Form.Item>
        <Toggle field="isOpen" />
      </div>
      <Rules others={others} />
      <h2 className="inkstone-part-head">{say('pool.people')}</h2>
      <Form.Item name="claimerIds" label={say('pool.claimerIds')}>
        <ReferencesPicker to="staff" />
      </Form.Item>
      <Form.Item name="adminIds" label={say('pool.adminIds')}>
        <ReferencesPicker to="staff" />
      </Form.Item>
    </Form>
  )
}

/** How much people may look at and claim, and what is taken back and told. */
function Rules({ others }: Pick<FormProps, 'others'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <>
      <Group title={say('pool.claiming')}>
        <Figure field="claimsADay" min={1} max={1_000} />
        <Figure field="viewsADay" min={1} max={100_000} />
        <Figure field="capacity" min={1} max={100_000} />
        <Figure field="coolDownDays" min={0} max={365} />
        <Figure field="embargoHours" min={0} max={720} />
        <Levels field="uncountedLevels" />
        <Toggle field="sparesTrial" />
      </Group>
      <Group title={say('pool.taking-back')}>
        <Figure field="noContactDays" min={1} max={365} none={say('pool.never-back')} />
        <Figure field="noDealDays" min={1} max={365} none={say('pool.never-back')} />
        <Toggle field="needsBoth" />
        {BY_LEVEL.map(field => (
          <Figure key={field} field={field} min={1} max={365} none={say('pool.as-others')} />
        ))}
        <Levels field="sparedLevels" />
        <Form.Item name="returnsToId" label={say('pool.returnsToId')}>
          <Select
            allowClear
            placeholder={say('pool.returns-here')}
            options={others.map(one => ({ value: one.id, label: one.name }))}
          />
        </Form.Item>
      </Group>
      <Group title={say('pool.telling')}>
        <Figure field="warnDays" min={0} max={30} />
        <Figure field="unclaimedHours" min={1} max={MOST_HOURS} none={say('pool.never-told')} />
        <Figure field="unansweredHours" min={1} max={MOST_HOURS} none={say('pool.never-told')} />
      </Group>
    </>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h2 className="inkstone-part-head">{title}</h2>
    <div style={GRID}>{children}</div>
  </>
)

function Toggle({ field }: { field: 'isOpen' | 'sparesTrial' | 'needsBoth' }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Form.Item name={field} label={say(`pool.${field}`)} valuePropName="checked">
      <Switch />
    </Form.Item>
  )
}

/** Several levels of interest. */
function Levels({ field }: { field: 'sparedLevels' | 'uncountedLevels' }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const options = Object.keys(LEVELS).map(level => ({
    value: level,
    label: say(`level.${level as keyof typeof LEVELS}`),
  }))
  return (
    <Form.Item name={field} label={say(`pool.${field}`)}>
      <Several allowClear options={options} />
    </Form.Item>
  )
}

type FigureProps = {
  field:
    | 'claimsADay'
    | 'viewsADay'
    | 'capacity'
    | 'coolDownDays'
    | 'embargoHours'
    | 'noContactDays'
    | (typeof BY_LEVEL)[number]
    | 'noDealDays'
    | 'warnDays'
    | 'unclaimedHours'
    | 'unansweredHours'
  min: number
  max: number
  /** What no figure means, where there need not be one. */
  none?: string
}

function Figure({ field, min, max, none }: FigureProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const label = say(`pool.${field}`)
  return (
    <Form.Item
      name={field}
      label={label}
      rules={none !== undefined ? [] : [{ required: true, message: kit('required', { name: label }) }]}
    >
      <InputNumber min={min} max={max} {...WHOLE} placeholder={none} style={{ width: '100%' }} />
    </Form.Item>
  )
}
