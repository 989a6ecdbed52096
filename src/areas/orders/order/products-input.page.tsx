import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, InputNumber, Space, Typography } from 'antd'
import { ReferencePicker } from '#kit/page/field/reference-picker.tsx'
import { MISSING } from '#kit/page/field/show.tsx'
import { formatFen } from '#kit/page/figures.ts'
import { useLineErrors } from '#kit/page/form/line-errors.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import type { locale } from './locale.ts'
import { MAX_PRODUCTS, type OrderedProduct } from './model.ts'
import type { Quote } from './quote.model.ts'
import { QuoteSum, useQuote } from './quoted.page.tsx'

type Props = {
  value?: OrderedProduct[]
  onChange?: (products: OrderedProduct[]) => void
  /** What the products, with coupon and member, would come to. */
  onQuote(quote: Quote | undefined): void
}

const EMPTY: OrderedProduct = { productId: '', quantity: 1 }

const PRICE = { width: 104, lineHeight: '32px', textAlign: 'right', fontVariantNumeric: 'tabular-nums' } as const
const NONE: OrderedProduct[] = []

/** Products with how many of each; there is always a line to begin with. */
export function ProductsInput({ value = NONE, onChange, onQuote }: Props) {
  const say = useTexts<typeof locale>('orders/order')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const products = value.length === 0 ? [EMPTY] : value
  const quote = useQuote(value, onQuote)
  const priceOf = ({ productId, quantity }: OrderedProduct) => {
    const line = quote?.lines.find(known => known.productId === productId && known.quantity === quantity)
    return line ? formatFen(line.listFen) : MISSING
  }
  const wrong = useLineErrors()
  const set = (at: number, part: Partial<OrderedProduct>) =>
    onChange?.(products.map((before, index) => (index === at ? { ...before, ...part } : before)))
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {products.map((product, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name of its own until a product is chosen
        <Flex key={at} wrap gap={8}>
          <div style={{ flex: '1 1 220px' }}>
            <ReferencePicker
              to="product"
              aria-label={say('field.productName')}
              value={product.productId}
              onChange={productId => set(at, { productId })}
              {...wrong(`${at}.productId`)}
            />
          </div>
          <InputNumber
            aria-label={say('field.quantity')}
            min={1}
            max={100}
            precision={0}
            prefix="×"
            value={product.quantity}
            onChange={quantity => set(at, { quantity: quantity ?? 1 })}
            {...wrong(`${at}.quantity`)}
            style={{ width: 120 }}
          />
          <Typography.Text style={PRICE}>{priceOf(product)}</Typography.Text>
          <Button
            aria-label={kit('delete')}
            icon={<DeleteOutlined />}
            disabled={products.length === 1}
            onClick={() => onChange?.(products.filter((_, index) => index !== at))}
          />
        </Flex>
      ))}
      <Button
        type="dashed"
        block
        icon={<PlusOutlined aria-hidden />}
        disabled={products.length >= MAX_PRODUCTS}
        onClick={() => onChange?.([...products, EMPTY])}
      >
        {say('add-product')}
      </Button>
      <QuoteSum quote={quote} />
    </Space>
  )
}
