import { useMemo } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { picked, whole } from '#kit/page/lines/cells.tsx'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import { MAX_PARTS, type NamedPart, piecesOf } from '../parts.model.ts'
import type { locale } from './locale.ts'

type Props = { id?: string; value?: NamedPart[]; onChange?: (parts: NamedPart[]) => void }

/** Base products with how many of each go into one kit; names are the shelf's own. */
export function PartsInput(given: Props) {
  const say = useTexts<typeof locale>('logistics/goods-kit')
  const columns = useMemo(
    (): Column<NamedPart>[] => [
      { name: 'baseProductId', title: say('part'), ...picked('base-product') },
      { name: 'quantity', title: say('quantity'), width: 120, ...whole({ min: 1, max: 1_000 }), sum: piecesOf },
    ],
    [say],
  )
  const blank = () => ({ baseProductId: '', sku: '', name: '', quantity: 1 })
  return <Lines {...given} columns={columns} isSorted grows={{ blank, max: MAX_PARTS, add: say('add-part') }} />
}
