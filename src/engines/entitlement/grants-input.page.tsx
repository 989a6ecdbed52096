import { DeleteOutlined } from '@ant-design/icons'
import { Button, Flex, Input, InputNumber, Select, Space, Typography } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { ReferencePicker, useLabels } from '#kit/page/field/reference-picker.tsx'
import { useLineErrors } from '#kit/page/form/line-errors.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import type { locale } from './locale.ts'
import { evenedOut, GRANT_KINDS, type Grant, type GrantKind, MAX_GRANTS, withRest } from './model.ts'

type Props = { value?: Grant[]; onChange?: (grants: Grant[]) => void }

const COLUMNS = ['kind', 'name', 'quantity', 'validDays', 'sharePermille'] as const
/** On a phone the lines scroll sideways under their headings. */
const GRID = {
  display: 'grid',
  gridTemplateColumns: '84px minmax(160px, 1fr) 96px 112px 104px 32px',
  gap: 8,
  alignItems: 'start',
  overflowX: 'auto',
} as const

/** The grants of a product, with the shares of its price: the last one takes what the others leave. */
export function GrantsInput({ value: grants = [], onChange }: Props) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const sum = grants.reduce((all, { sharePermille }) => all + (sharePermille || 0), 0)
  const give = (next: readonly Grant[]) => onChange?.(withRest(next))
  const add = (kind: GrantKind) =>
    give([
      ...grants,
      {
        kind,
        quantity: 1,
        validDays: null,
        sharePermille: 0,
        packageId: null,
        kitId: null,
        name: say(`kind.${kind}`),
      },
    ])
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {grants.length > 0 && (
        <div style={GRID}>
          {COLUMNS.map(column => (
            <Typography.Text key={column} type="secondary">
              {say(`grant.${column}`)}
            </Typography.Text>
          ))}
          <span />
          {grants.map((grant, at) => (
            <GrantLine
              // biome-ignore lint/suspicious/noArrayIndexKey: a grant has no name of its own
              key={at}
              grant={grant}
              at={at}
              takesRest={at === grants.length - 1}
              onChange={next => give(grants.with(at, next))}
              onRemove={() => give(grants.toSpliced(at, 1))}
            />
          ))}
        </div>
      )}
      <Space wrap>
        <Select<GrantKind>
          aria-label={say('add-grant')}
          placeholder={say('add-grant')}
          value={null as never}
          disabled={grants.length >= MAX_GRANTS}
          options={GRANT_KINDS.map(kind => ({ value: kind, label: say(`kind.${kind}`) }))}
          onChange={add}
          style={{ width: 200 }}
        />
        {grants.length > 1 && <Button onClick={() => onChange?.(evenedOut(grants))}>{say('even-out')}</Button>}
        {sum > 1_000 && <Typography.Text type="danger">{say('shares-sum', { sum })}</Typography.Text>}
      </Space>
    </Space>
  )
}

type LineProps = { grant: Grant; at: number; takesRest: boolean; onChange(grant: Grant): void; onRemove(): void }

function GrantLine({ grant, at, takesRest, onChange, onRemove }: LineProps) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const wrong = useLineErrors()
  const set = (part: Partial<Grant>) => onChange({ ...grant, ...part })
  useNameOfTarget(grant, say(`kind.${grant.kind}`), name => set({ name }))
  const figure = (field: 'quantity' | 'validDays' | 'sharePermille', min: number, suffix: string) => (
    <InputNumber
      aria-label={say(`grant.${field}`)}
      min={min}
      precision={0}
      suffix={suffix}
      value={grant[field]}
      placeholder={field === 'validDays' ? say('no-limit') : ''}
      disabled={takesRest && field === 'sharePermille'}
      onChange={next => set({ [field]: next ?? (field === 'validDays' ? null : min) })}
      style={{ width: '100%' }}
      {...wrong(`${at}.${field}`)}
    />
  )
  return (
    <>
      <Typography.Text style={{ lineHeight: '32px' }}>{say(`kind.${grant.kind}`)}</Typography.Text>
      <Flex vertical gap={4}>
        <Target grant={grant} at={at} onChange={set} />
        <Input
          aria-label={say('grant.name')}
          placeholder={say('grant.name')}
          value={grant.name}
          onChange={event => set({ name: event.target.value })}
          {...wrong(`${at}.name`)}
        />
      </Flex>
      {figure('quantity', 1, '×')}
      {figure('validDays', 1, say('days'))}
      {figure('sharePermille', 0, '‰')}
      <Button aria-label={kit('delete')} icon={<DeleteOutlined />} onClick={onRemove} />
    </>
  )
}

/** Which course is given, or which kit is sent. */
function Target({
  grant,
  at,
  onChange,
}: {
  grant: Grant
  at: number
  onChange(part: Partial<Grant>): void
}): ReactNode {
  const say = useTexts<typeof locale>('engines/entitlement')
  const wrong = useLineErrors()
  const field = TARGETS[grant.kind]
  if (!field) return null
  return (
    <ReferencePicker
      to={field.to}
      aria-label={say(`kind.${grant.kind}`)}
      {...(grant[field.id] === null ? {} : { value: grant[field.id] as string })}
      onChange={id => onChange({ [field.id]: id })}
      {...wrong(`${at}.${field.id}`)}
    />
  )
}
const TARGETS: Readonly<Partial<Record<GrantKind, { to: string; id: 'packageId' | 'kitId' }>>> = {
  COURSE: { to: 'course-package', id: 'packageId' },
  GOODS: { to: 'goods-kit', id: 'kitId' },
}

/** A grant is called what its course or kit is called, unless a person named it: lists and details show that name. */
function useNameOfTarget(grant: Grant, usual: string, rename: (name: string) => void): void {
  const id = grant.packageId || grant.kitId
  const [label] = useLabels(TARGETS[grant.kind]?.to ?? '', id ? [id] : [])
  const given = useRef(usual)
  useEffect(function followTarget() {
    if (!label || label.id !== id || given.current === label.name) return
    const isOurs = grant.name === given.current
    given.current = label.name
    if (isOurs && grant.name !== label.name) rename(label.name)
  })
}
