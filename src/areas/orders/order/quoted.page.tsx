import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Form, Typography } from 'antd'
import { useEffect, useRef } from 'react'
import { get } from '#kit/page/call.ts'
import { formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { OrderedProduct } from './model.ts'
import type { Quote } from './quote.model.ts'

/** What the order in this form would come to: asked anew with each product, coupon and member that is chosen. */
export function useQuote(products: readonly OrderedProduct[], onQuote: (quote: Quote | undefined) => void) {
  const form = Form.useFormInstance()
  const memberId = Form.useWatch<string | undefined>('memberId', form)
  const couponId = Form.useWatch<string | null | undefined>('couponId', form)
  const chosen = products.filter(({ productId }) => productId !== '')
  const asked = {
    memberId: memberId || undefined,
    products: chosen.map(({ productId, quantity }) => `${productId}x${quantity}`).join(','),
    couponId: couponId ?? undefined,
  }
  const { data } = useQuery({
    queryKey: ['orders/order', 'quote', asked],
    queryFn: ({ signal }) => get<Quote>('/orders/order/quote', { query: asked, signal }),
    enabled: Boolean(asked.memberId) || chosen.length > 0,
    placeholderData: keepPreviousData,
  })
  const suggested = useRef<number>(undefined)
  useEffect(
    function suggestWhatIsDue() {
      onQuote(data)
      if (!data || data.lines.length === 0) return
      // What the person has entered is the person's.
      const entered: unknown = form.getFieldValue('amountFen')
      if (entered === undefined || entered === '' || entered === suggested.current)
        form.setFieldValue('amountFen', data.dueFen)
      suggested.current = data.dueFen
    },
    [data, form, onQuote],
  )
  return data
}

/** How what is due comes about, in a line. */
export function QuoteSum({ quote }: { quote: Quote | undefined }) {
  const say = useTexts<typeof locale>('orders/order')
  if (!quote || quote.lines.length === 0) return null
  const { listFen, priceFen, couponFen, couponRefusal, dueFen } = quote
  const parts = [
    `${say('quote-list')} ${formatFen(listFen)}`,
    ...(priceFen === listFen ? [] : [`${say('quote-price')} ${formatFen(priceFen)}`]),
    ...(couponFen === 0 ? [] : [`${say('quote-coupon')} ${formatFen(-couponFen)}`]),
  ]
  return (
    <div style={{ textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
      <Typography.Text type="secondary">{parts.join(' · ')} · </Typography.Text>
      <Typography.Text strong>{`${say('quote-due')} ${formatFen(dueFen)}`}</Typography.Text>
      {couponRefusal !== null && (
        <div>
          <Typography.Text type="danger">{couponRefusal}</Typography.Text>
        </div>
      )}
    </div>
  )
}
