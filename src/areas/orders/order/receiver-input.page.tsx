import { Select } from 'antd'
import type { InputProps } from '#kit/page/field/input.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { KnownReceiver } from './quote.model.ts'

type Props = InputProps<string | null> & { receivers: readonly KnownReceiver[] }

/** Where goods of this member went before, as much of it as may be shown. */
export function ReceiverInput({ receivers, value, onChange, ...control }: Props) {
  const say = useTexts<typeof locale>('orders/order')
  return (
    <Select
      {...control}
      allowClear
      value={value || undefined}
      placeholder={say('receiver-new')}
      onChange={chosen => onChange?.(chosen ?? null)}
      options={receivers.map(({ orderId, name, phone, address }) => ({
        value: orderId,
        label: `${name} · ${phone} · ${address}`,
      }))}
    />
  )
}
