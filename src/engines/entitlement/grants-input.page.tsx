import { DeleteOutlined } from '@ant-design/icons'
import { Button, Flex, Input, InputNumber, Select, Space, Typography } from 'antd'
import { ReferencePicker } from '#kit/page/field/reference-picker.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import type { locale } from './locale.ts'
import { GRANT_KINDS, type Grant, type GrantKind, MAX_GRANTS } from './model.ts'

type Props = { value?: Grant[]; onChange?: (grants: Grant[]) => void }

/** The grants of a product, with the shares of its price that must make a whole. */
export function GrantsInput({ value: grants = [], onChange }: Props) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const sum = grants.reduce((all, { sharePermille }) => all + (sharePermille || 0), 0)
  const add = (kind: GrantKind) => {
    const left = Math.max(0, 1_000 - sum)
    const grant: Grant = {
      kind,
      quantity: 1,
      validDays: null,
      sharePermille: left,
      packageId: null,
      kitId: null,
      name: say(`kind.${kind}`),
    }
    onChange?.([...grants, grant])
  }
  const line = (grant: Grant, at: number) => (
    <GrantLine
      key={at}
      grant={grant}
      onChange={next => onChange?.(grants.with(at, next))}
      onRemove={() => onChange?.(grants.toSpliced(at, 1))}
    />
  )
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {grants.map(line)}
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
        {grants.length > 0 && (
          <Typography.Text type={sum === 1_000 ? 'secondary' : 'danger'}>{say('shares-sum', { sum })}</Typography.Text>
        )}
      </Space>
    </Space>
  )
}

type LineProps = { grant: Grant; onChange(grant: Grant): void; onRemove(): void }

function GrantLine({ grant, onChange, onRemove }: LineProps) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const set = (part: Partial<Grant>) => onChange({ ...grant, ...part })
  const figure = (field: 'quantity' | 'validDays' | 'sharePermille', min: number, suffix: string) => (
    <InputNumber
      aria-label={say(`grant.${field}`)}
      placeholder={say(`grant.${field}`)}
      min={min}
      precision={0}
      suffix={suffix}
      value={grant[field]}
      onChange={next => set({ [field]: next ?? (field === 'validDays' ? null : min) })}
      style={{ width: 112 }}
    />
  )
  return (
    <Flex wrap gap={4} align="start">
      <Typography.Text style={{ width: 84, lineHeight: '32px' }}>{say(`kind.${grant.kind}`)}</Typography.Text>
      <Flex vertical gap={4} style={{ flex: '1 1 160px' }}>
        {grant.kind === 'COURSE' && (
          <ReferencePicker
            to="course-package"
            {...(grant.packageId === null ? {} : { value: grant.packageId })}
            onChange={packageId => set({ packageId })}
          />
        )}
        {grant.kind === 'GOODS' && (
          <ReferencePicker
            to="goods-kit"
            {...(grant.kitId === null ? {} : { value: grant.kitId })}
            onChange={kitId => set({ kitId })}
          />
        )}
        <Input
          aria-label={say('grant.name')}
          placeholder={say('grant.name')}
          value={grant.name}
          onChange={event => set({ name: event.target.value })}
        />
      </Flex>
      {figure('quantity', 1, '×')}
      {figure('validDays', 1, say('days'))}
      {figure('sharePermille', 0, '‰')}
      <Button aria-label={kit('delete')} icon={<DeleteOutlined />} onClick={onRemove} />
    </Flex>
  )
}
