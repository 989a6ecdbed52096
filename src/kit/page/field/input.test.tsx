import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Form } from 'antd'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { resource as refunds } from '#areas/orders/refund-application/model.ts'
import { resource as products } from '#areas/products/product/model.ts'
import { choice, code, day, flag, instant, longText, number, personal, text } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import type { Resource } from '#kit/model/resource.ts'
import { addDays, LAST_DAY } from '#kit/model/time.ts'
import { pick, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { FieldInput } from './input.tsx'

/** A field in a form, and what the form holds after the person has acted. */
async function inForm(resource: unknown, field: string, initial?: unknown, language: Language = 'en-US') {
  let values: Record<string, unknown> = {}
  await renderPage(
    <Form
      initialValues={{ [field]: initial }}
      onValuesChange={(_, all) => {
        values = all
      }}
    >
      <Form.Item name={field} label="It" {...(field === 'flag' ? { valuePropName: 'checked' } : {})}>
        <FieldInput resource={resource as Resource} field={field} />
      </Form.Item>
    </Form>,
    { calls: commonCalls, language },
  )
  return { input: await screen.findByLabelText('It'), held: () => values[field] }
}

describe('an amount', () => {
  test('is typed in yuan and held in fen', async () => {
    const { input, held } = await inForm(refunds, 'amountFen')
    type(input, '12.3')
    expect(held()).toBe(1230)
    type(input, '1,234.05')
    expect(held()).toBe(123_405)
  })

  test('stands formatted once it is left, and untouched while it is typed', async () => {
    const { input } = await inForm(refunds, 'amountFen', 12_800)
    expect((input as HTMLInputElement).value).toBe('128.00')
    type(input, '1234.5')
    expect((input as HTMLInputElement).value).toBe('1234.5')
    fireEvent.blur(input)
    expect((input as HTMLInputElement).value).toBe('1,234.50')
  })

  test('with a third decimal is no amount: it stays to be mended, and no rounded one is held', async () => {
    const { input, held } = await inForm(refunds, 'amountFen')
    type(input, '1.005')
    fireEvent.blur(input)
    expect(held()).toBe('1.005')
    expect((input as HTMLInputElement).value).toBe('1.005')
  })
})

test.each([
  ['en-US', '12.5', '7.5'],
  ['pt-BR', '12,5', '7,5'],
] as const)(
  'a share is typed and shown in percent as %s writes them, and held in thousandths',
  async (language, shown, typed) => {
    const { input, held } = await inForm(products, 'commissionPermille', 125, language)
    expect((input as HTMLInputElement).value).toBe(shown)
    type(input, typed)
    expect(held()).toBe(75)
  },
)

describe('the input of a field follows its kind', () => {
  const kinds = {
    screen: { name: 'orders/order', key: 'order-list' },
    record: z.strictObject({
      payState: choice({ UNPAID: 'idle', PAID: 'done' }),
      flag: flag(),
      due: day(),
      from: instant(),
      count: number(0, 10),
      words: longText(20),
      name: text(),
      phone: personal('phone'),
      account: code(),
    }),
  }

  test('a dictionary offers its labels and holds the value', async () => {
    const { input, held } = await inForm(refunds, 'reason')
    await pick(input, 'Course too hard')
    expect(held()).toBe('TOO_HARD')
  })

  test('a choice offers its words', async () => {
    const { input, held } = await inForm(kinds, 'payState')
    await pick(input, 'Paid')
    expect(held()).toBe('PAID')
  })

  test('a flag is a switch', async () => {
    const { input, held } = await inForm(kinds, 'flag', false)
    fireEvent.click(input)
    expect(held()).toBe(true)
  })

  test('a day is held as a calendar day, and Enter takes it without sending the form', async () => {
    const { input, held } = await inForm(kinds, 'due')
    expect(input.closest('.ant-picker')).not.toBeNull()
    fireEvent.mouseDown(input)
    type(input, '2026-03-02')
    const wouldSend = fireEvent.keyDown(input, { key: 'Enter', code: 'Enter', keyCode: 13 })
    await waitFor(() => expect(held()).toBe('2026-03-02'))
    expect(wouldSend).toBe(false)
  })

  test.each([
    ['due', /^Today$/, '2026-03-02'],
    ['from', /^Now$/, '2026-03-02T02:30:00+08:00'],
  ])(
    'the button for the present takes the day and the time of Shanghai, wherever the browser stands: %s',
    async (field, words, taken) => {
      vi.useFakeTimers({ now: new Date('2026-03-01T18:30:00Z'), toFake: ['Date'] })
      try {
        const { input, held } = await inForm(kinds, field)
        fireEvent.mouseDown(input)
        fireEvent.click(input)
        fireEvent.click(await screen.findByText(words))
        await waitFor(() => expect(held()).toBe(taken))
      } finally {
        vi.useRealTimers()
      }
    },
  )

  test('a day beyond the calendar cannot be chosen', async () => {
    const { input } = await inForm(kinds, 'due', LAST_DAY)
    fireEvent.mouseDown(input)
    fireEvent.click(input)
    const cell = (day: string) => document.querySelector(`.ant-picker-cell[title="${day}"]`)
    await waitFor(() => expect(cell(LAST_DAY)).not.toBeNull())
    const isClosed = (day: string) => cell(day)?.className.includes('ant-picker-cell-disabled')
    expect([LAST_DAY, addDays(LAST_DAY, 1)].map(isClosed)).toEqual([false, true])
  })

  test('a number is whole', async () => {
    const { input, held } = await inForm(kinds, 'count')
    type(input, '7')
    expect(held()).toBe(7)
    type(input, '')
    expect(held()).toBe(null)
  })

  test.each([
    ['en-US', '1,234', '1.234'],
    ['pt-BR', '1.234', '1,234'],
  ] as const)(
    'a number is read as %s writes it; what may be another stays as it was typed',
    async (language, meant, unclear) => {
      const { input, held } = await inForm(kinds, 'count', undefined, language)
      type(input, meant)
      expect(held()).toBe(1234)
      type(input, unclear)
      fireEvent.blur(input)
      expect([held(), (input as HTMLInputElement).value]).toEqual([unclear, unclear])
    },
  )

  test('long text counts what may still be written', async () => {
    const { input } = await inForm(kinds, 'words', 'abc')
    expect(input.tagName).toBe('TEXTAREA')
    expect(screen.getByText('3 / 20')).toBeTruthy()
  })

  test('a number of somebody else is never filled in from what the browser knows of its own user', async () => {
    const { input } = await inForm(kinds, 'phone')
    expect([input.getAttribute('autocomplete'), input.getAttribute('inputmode')]).toEqual(['off', 'tel'])
  })

  test('a code is written as it is, without capitals or corrections', async () => {
    const { input } = await inForm(kinds, 'account')
    expect([input.getAttribute('autocapitalize'), input.getAttribute('spellcheck')]).toEqual(['none', 'false'])
  })

  test('anything else is a line of text', async () => {
    const { input, held } = await inForm(kinds, 'name')
    type(input, '王芳')
    expect(held()).toBe('王芳')
  })
})
