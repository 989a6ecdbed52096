import { useQuery } from '@tanstack/react-query'
import { Button, Form, Space } from 'antd'
import { useEffect } from 'react'
import { formatFen } from '#kit/model/money.ts'
import { get } from '#kit/page/call.ts'
import { type InputProps, MoneyInput } from '#kit/page/field/input.tsx'
import { useTexts } from '#kit/page/language.ts'
import { Calculation } from './calculation.page.tsx'
import type { locale } from './locale.ts'
import { resource, type SuggestedLine } from './model.ts'

type Suggestion = {
  suggestedFen: number
  leftFen: number
  /** The money can go back the way it came. */
  isOriginal: boolean
  lines: SuggestedLine[]
}

/** The amount, with what the order should give back beside it and how that comes about. */
export function AmountInput({ value, onChange, ...control }: InputProps<number | string>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const form = Form.useFormInstance()
  const orderId = Form.useWatch<string | undefined>('orderId', form)
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'suggestion', orderId],
    queryFn: ({ signal }) => get<Suggestion>(`/${resource.screen.name}/suggestion?orderId=${orderId}`, { signal }),
    enabled: orderId !== undefined && orderId !== null,
    retry: false,
  })
  useEffect(
    function suggestRoute() {
      if (data && !form.getFieldValue('route')) form.setFieldValue('route', data.isOriginal ? 'ORIGINAL' : 'OFFLINE')
    },
    [data, form],
  )
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      <MoneyInput {...control} {...(value === undefined ? {} : { value })} {...(onChange ? { onChange } : {})} />
      {data && (
        <>
          <Space>
            {say('suggestion')}
            <strong>{formatFen(data.suggestedFen)}</strong>
            <Button size="small" onClick={() => onChange?.(data.suggestedFen)}>
              {say('take-suggestion')}
            </Button>
          </Space>
          <Calculation lines={data.lines} />
        </>
      )}
    </Space>
  )
}
