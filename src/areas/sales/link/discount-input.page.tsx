import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { get } from '#kit/page/call.ts'
import type { InputProps } from '#kit/page/field/input.tsx'
import { formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { UsableDiscount } from './discounts.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** One of the discounts whoever gets the link can still use; its product is what is sold then. */
export function DiscountInput({ value, onChange, ...control }: InputProps<string | null>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const form = Form.useFormInstance()
  const forId = Form.useWatch<string | null | undefined>('forId', form)
  const { data = [] } = useQuery({
    queryKey: [resource.screen.name, 'discounts', forId],
    queryFn: ({ signal }) =>
      get<UsableDiscount[]>(`/${resource.screen.name}/discounts`, { query: forId ? { forId } : {}, signal }),
  })
  const choose = (chosen: string | undefined) => {
    onChange?.(chosen ?? null)
    const discount = data.find(({ id }) => id === chosen)
    if (discount) form.setFieldValue('productId', discount.productId)
  }
  return (
    <Select
      {...control}
      allowClear
      value={value || undefined}
      onChange={choose}
      options={data.map(one => ({ value: one.id, label: say('discount-choice', wordsOf(one)) }))}
      disabled={data.length === 0}
      placeholder={data.length === 0 ? say('discount-none') : undefined}
    />
  )
}

const wordsOf = ({ productName, priceFen, usableUntil, requestNo }: UsableDiscount) => ({
  product: productName,
  price: formatYuan(priceFen),
  day: usableUntil,
  no: requestNo,
})
