import { MISSING } from '#kit/page/field/show.tsx'
import { formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { Examination } from './model.ts'

/** The other orders the same transfer pays, with what each takes of it. */
export function Sharing({ orders }: { orders: Examination['sharing'] }) {
  const say = useTexts<typeof locale>('orders/examination')
  if (orders.length === 0) return MISSING
  return (
    <>
      {orders.map(({ orderNo, amountFen, status }) => (
        <div key={orderNo}>
          {orderNo} · {formatFen(amountFen)} · {say(`status.${status as Examination['status']}`)}
        </div>
      ))}
    </>
  )
}
