import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, InputNumber, Space } from 'antd'
import { ReferencePicker } from '#kit/page/field/reference-picker.tsx'
import { useLineErrors } from '#kit/page/form/line-errors.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { MAX_PARTS, type NamedPart } from '../parts.model.ts'
import type { locale } from './locale.ts'

type Props = { value?: NamedPart[]; onChange?: (parts: NamedPart[]) => void }

const EMPTY: NamedPart = { baseProductId: '', sku: '', name: '', quantity: 1 }

/** Base products with how many of each go into one kit; names are the shelf's own. */
export function PartsInput({ value: parts = [], onChange }: Props) {
  const say = useTexts<typeof locale>('logistics/goods-kit')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const wrong = useLineErrors()
  const set = (at: number, part: Partial<NamedPart>) =>
    onChange?.(parts.map((before, index) => (index === at ? { ...before, ...part } : before)))
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name of its own until a product is chosen
        <div key={at} style={{ display: 'flex', gap: 8 }}>
          <div style={{ flex: 1 }}>
            <ReferencePicker
              to="base-product"
              aria-label={say('part')}
              value={part.baseProductId}
              onChange={baseProductId => set(at, { baseProductId })}
              {...wrong(`${at}.baseProductId`)}
            />
          </div>
          <InputNumber
            aria-label={say('quantity')}
            min={1}
            max={1_000}
            precision={0}
            prefix="×"
            value={part.quantity}
            onChange={quantity => set(at, { quantity: quantity ?? 1 })}
            {...wrong(`${at}.quantity`)}
            style={{ width: 120 }}
          />
          <Button
            aria-label={kit('delete')}
            icon={<DeleteOutlined />}
            onClick={() => onChange?.(parts.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button
        type="dashed"
        block
        icon={<PlusOutlined aria-hidden />}
        disabled={parts.length >= MAX_PARTS}
        onClick={() => onChange?.([...parts, EMPTY])}
      >
        {say('add-part')}
      </Button>
    </Space>
  )
}
