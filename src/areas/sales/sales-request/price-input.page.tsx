import { useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { get } from '#kit/page/call.ts'
import { FieldInput, type InputProps } from '#kit/page/field/input.tsx'
import { formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { PriceNow } from './price-now.model.ts'

/** The price somebody asks for, with what everybody pays now beside it. */
export function PriceInput(control: InputProps<number | string>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const productId = Form.useWatch<string | null | undefined>('productId', Form.useFormInstance())
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'price', productId],
    queryFn: ({ signal }) =>
      get<PriceNow>(`/${resource.screen.name}/price`, { query: { productId: String(productId) }, signal }),
    enabled: Boolean(productId),
  })
  return (
    <>
      <FieldInput resource={resource} field="priceFen" {...control} />
      {productId && data && (
        <div className="inkstone-note">{say('price-now', { price: formatFen(data.priceFen) })}</div>
      )}
    </>
  )
}
