import { InputNumber, Space, Tag, Typography } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { NamedPart } from './parts.model.ts'

/** Base products with their quantities, one tag each. */
export function PartList({ parts }: { parts: readonly NamedPart[] }) {
  const say = useTexts<typeof locale>('logistics')
  return (
    <div className="inkstone-lines">
      {parts.map(({ baseProductId, sku, name, quantity }) => (
        <Tag key={baseProductId} title={sku}>
          {say('pieces', { name, quantity })}
        </Tag>
      ))}
    </div>
  )
}

type Props = {
  value?: NamedPart[]
  onChange?: (parts: NamedPart[]) => void
  /** Begins with no piece chosen instead of all of them. */
  isEmpty?: boolean
}

/** How many of each part of a parcel a step is about. */
export function PiecesInput({ value = [], onChange, isEmpty = false }: Props) {
  const say = useTexts<typeof locale>('logistics')
  const [whole] = useState(value)
  const begun = useRef(false)
  useEffect(
    function beginWithNone() {
      if (isEmpty && !begun.current) onChange?.(whole.map(part => ({ ...part, quantity: 0 })))
      begun.current = true
    },
    [isEmpty, onChange, whole],
  )
  return (
    <Space orientation="vertical" size={8}>
      {whole.map(({ baseProductId, sku, name, quantity }, at) => (
        <Space key={baseProductId} wrap size={8}>
          <InputNumber
            aria-label={name}
            min={0}
            max={quantity}
            precision={0}
            value={value[at]?.quantity ?? 0}
            onChange={next => onChange?.(whole.map((part, index) => chosen(part, index === at, next, value[index])))}
            style={{ width: 96 }}
          />
          <Typography.Text type="secondary">{say('of-pieces', { quantity })}</Typography.Text>
          <span title={sku}>{name}</span>
        </Space>
      ))}
    </Space>
  )
}

const chosen = (part: NamedPart, isThis: boolean, next: number | null, before: NamedPart | undefined): NamedPart => ({
  ...part,
  quantity: isThis ? (next ?? 0) : (before?.quantity ?? part.quantity),
})
