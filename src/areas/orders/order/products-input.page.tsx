import { useMemo } from 'react'
import { MISSING } from '#kit/page/field/show.tsx'
import { formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { picked, whole } from '#kit/page/lines/cells.tsx'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { MAX_PRODUCTS, type OrderedProduct } from './model.ts'
import type { Quote } from './quote.model.ts'
import { QuoteSum, useQuote } from './quoted.page.tsx'

type Props = {
  id?: string
  value?: OrderedProduct[]
  onChange?: (products: OrderedProduct[]) => void
  /** What the products, with coupon and member, would come to. */
  onQuote(quote: Quote | undefined): void
}

const NONE: OrderedProduct[] = []
const blank = (): OrderedProduct => ({ productId: '', quantity: 1 })

/** Products with how many of each; there is always a line to begin with. */
export function ProductsInput({ value = NONE, onQuote, ...given }: Props) {
  const say = useTexts<typeof locale>('orders/order')
  const quote = useQuote(value, onQuote)
  const columns = useMemo(
    (): Column<OrderedProduct>[] => [
      { name: 'productId', title: say('field.productName'), ...picked('product') },
      { name: 'quantity', title: say('field.quantity'), width: 96, ...whole({ min: 1, max: 100 }) },
      {
        name: 'listFen',
        title: `${say('line.listFen')} (¥)`,
        width: 112,
        isFigure: true,
        tell({ productId, quantity }) {
          const line = quote?.lines.find(known => known.productId === productId && known.quantity === quantity)
          return line ? formatYuan(line.listFen) : MISSING
        },
      },
    ],
    [say, quote],
  )
  return (
    <Lines
      {...given}
      value={value}
      columns={columns}
      grows={{ blank, max: MAX_PRODUCTS, least: 1, add: say('add-product') }}
      tools={<QuoteSum quote={quote} />}
    />
  )
}
