import { Button, Form, Space, Typography } from 'antd'
import { useEffect } from 'react'
import { Figure } from '#kit/page/field/figure.tsx'
import { type InputProps, MoneyInput } from '#kit/page/field/input.tsx'
import { formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { Calculation, Taken } from './calculation.page.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { WhyFinance } from './second-approval.page.tsx'
import { useSuggestion } from './suggestion.page.tsx'

/** The amount, with what the order should give back beside it, how that comes about, and what it takes with it. */
export function AmountInput({ value, onChange, ...control }: InputProps<number | string>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const form = Form.useFormInstance()
  const payee = Form.useWatch<unknown>('payee', form)
  const { data, whyNot } = useSuggestion()
  useEffect(
    function suggestRoute() {
      if (data && !data.routes.includes(form.getFieldValue('route'))) form.setFieldValue('route', data.routes[0])
    },
    [data, form],
  )
  useEffect(
    function sayWhyNot() {
      if (whyNot !== undefined) form.setFields([{ name: 'orderId', errors: [whyNot] }])
    },
    [whyNot, form],
  )
  const reasons = [
    ...(data?.l2Reasons ?? []),
    ...(payee === 'OTHER' && form.getFieldValue('route') === 'OFFLINE' ? [{ why: 'PAYEE' as const, value: 0 }] : []),
  ]
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      <MoneyInput {...control} {...(value === undefined ? {} : { value })} {...(onChange ? { onChange } : {})} />
      {data && (
        <>
          <Space wrap>
            {say('suggestion')}
            <strong>
              <Figure>{formatFen(data.suggestedFen)}</Figure>
            </strong>
            <Button size="small" onClick={() => onChange?.(data.suggestedFen)}>
              {say('take-suggestion')}
            </Button>
          </Space>
          <Calculation lines={data.lines} windowDays={data.windowDays} />
          {typeof value === 'number' && value > 0 && (
            <>
              {data.taken === null ? (
                <Typography.Text type="danger">{say('over-left', { amount: formatFen(data.leftFen) })}</Typography.Text>
              ) : (
                <Taken lines={data.taken} />
              )}
              <WhyFinance reasons={reasons} />
            </>
          )}
        </>
      )}
    </Space>
  )
}
