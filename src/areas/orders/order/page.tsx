import { useState } from 'react'
import { wide } from '#kit/page/form/inputs.ts'
import type { Values } from '#kit/page/form/values.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import { Lines } from '../lines.page.tsx'
import type { locale } from './locale.ts'
import { isBeforePayment, type Order, receiver, refundableFen, resource, workflow } from './model.ts'
import type { Quote } from './quote.model.ts'

const ProductsInput = later(async () => (await import('./products-input.page.tsx')).ProductsInput)
const CouponInput = later(async () => (await import('./coupon-input.page.tsx')).CouponInput)
const ReferencePicker = later(async () => (await import('#kit/page/field/reference-picker.tsx')).ReferencePicker)
const ReceiverInput = later(async () => (await import('./receiver-input.page.tsx')).ReceiverInput)

const LINE_PARTS = ['listFen', 'amountFen', 'paidFen', 'reservedFen', 'refundedFen'] as const

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayAsk = useUser(user => mayDo(user, 'order-refundApply', 'create'))
  const [quote, setQuote] = useState<Quote>()
  const { receivers = [] } = quote ?? {}
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{
        memberId: wide(() => <ReferencePicker to="member" />),
        products: () => <ProductsInput onQuote={setQuote} />,
        couponId: () => <CouponInput />,
        receiverOrderId: wide(() => <ReceiverInput receivers={receivers} />),
      }}
      isShown={(field, values) => isAsked(field, values, quote)}
      shows={{
        fulfilState: (order: Order) =>
          isBeforePayment(order) ? <StateTag tone="idle">{say('fulfils-once-paid')}</StateTag> : undefined,
        lines: (order: Order) => <Lines lines={order.lines} parts={LINE_PARTS} />,
      }}
      links={order =>
        mayAsk && order.payState === 'PAID' && refundableFen(order) > 0
          ? [{ text: say('ask-refund'), path: `/order/refundApply?create=1&with.orderId=${order.id}` }]
          : []
      }
    />
  )
}

/** Where to is asked when something has to be sent, and then it is needed: entered, or as in an earlier order. */
function isAsked(field: string, values: Values, quote: Quote | undefined): boolean | 'required' {
  // A step asks for an address because that is what it is about.
  if (!('products' in values)) return true
  if (field === 'products') return 'required'
  if (field === 'receiverOrderId') return quote?.hasGoods === true && quote.receivers.length > 0
  if (!(field in receiver)) return true
  return quote?.hasGoods && !values.receiverOrderId ? 'required' : false
}
