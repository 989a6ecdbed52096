import { InputNumber } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { WHOLE } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { type NamedPart, piecesOf } from './parts.model.ts'

type Props = {
  id?: string
  value?: NamedPart[]
  onChange?: (parts: NamedPart[]) => void
  /** Begins with no piece chosen instead of all of them. */
  isEmpty?: boolean
}

/** How many of each part of a parcel a step is about. */
export function PiecesInput({ value = [], onChange, isEmpty = false, ...given }: Props) {
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
  const columns = useMemo((): Column<NamedPart>[] => {
    const most = new Map(whole.map(({ baseProductId, quantity }) => [baseProductId, quantity]))
    return [
      { name: 'name', title: say('part'), tell: ({ name, sku }) => <span title={sku}>{name}</span> },
      {
        name: 'quantity',
        title: say('quantity'),
        width: 144,
        label: ({ name }) => name,
        sum: lines => say('of-pieces', { pieces: piecesOf(lines), quantity: piecesOf(whole) }),
        cell: ({ line, value: pieces, given: named, change }) => (
          <InputNumber
            {...named}
            min={0}
            max={most.get(line.baseProductId) ?? 0}
            {...WHOLE}
            suffix={say('most-pieces', { quantity: most.get(line.baseProductId) ?? 0 })}
            value={pieces}
            onChange={next => change(next ?? 0)}
            style={{ width: '100%' }}
          />
        ),
      },
    ]
  }, [say, whole])
  return <Lines {...given} value={value} onChange={onChange} columns={columns} />
}
