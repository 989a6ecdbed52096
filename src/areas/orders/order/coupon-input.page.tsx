import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import type { Held } from '#areas/products/coupon/held.model.ts'
import { get } from '#kit/page/call.ts'
import type { InputProps } from '#kit/page/field/input.tsx'
import { useTexts } from '#kit/page/language.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'

/** One of the coupons the chosen member still holds. */
export function CouponInput({ value, onChange, ...control }: InputProps<string | null>) {
  const say = useTexts<typeof locale>('orders/order')
  const memberId = Form.useWatch<string | undefined>('memberId', Form.useFormInstance())
  const maySee = useUser(user => mayDo(user, 'coupon-list', 'list'))
  const { data = [] } = useQuery({
    queryKey: ['products/coupon', 'held', memberId],
    queryFn: ({ signal }) => get<Held[]>('/products/coupon/held', { query: { memberId: String(memberId) }, signal }),
    enabled: maySee && Boolean(memberId),
  })
  const options = data
    .filter(({ status }) => status === 'UNUSED')
    .map(({ id, name, validTo }) => ({ value: id, label: `${name} · ${say('coupon-until', { day: validTo })}` }))
  return (
    <Select
      {...control}
      allowClear
      value={value || undefined}
      onChange={chosen => onChange?.(chosen ?? null)}
      options={options}
      disabled={options.length === 0}
      placeholder={memberId ? say('coupon-none') : say('coupon-member-first')}
    />
  )
}
