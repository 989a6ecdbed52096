import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { resource as orders } from '#areas/orders/order/model.ts'
import { resource as products } from '#areas/products/product/model.ts'
import { resource as dictionary } from '#areas/system/dictionary/model.ts'
import { files } from '#kit/model/field.ts'
import type { Resource } from '#kit/model/resource.ts'
import { type Calls, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls, dictionaryType, order } from '../../../../tools/testing/page-records.ts'
import { Code, Show } from './show.tsx'

const shown = async (resource: unknown, field: string, row: object, calls: Calls = {}) => {
  const page = await renderPage(<Show resource={resource as Resource} field={field} row={row as never} />, {
    calls: { ...commonCalls, ...calls },
  })
  return page.container
}
const ofOrder = (field: string, part: Parameters<typeof order>[1]) => shown(orders, field, order('1', part))

describe('a value', () => {
  test('that is missing is a dash, and zero is a number', async () => {
    expect((await ofOrder('paidAt', { paidAt: null })).textContent).toBe('–')
    expect((await ofOrder('note', { note: '' })).textContent).toBe('–')
    expect((await ofOrder('reservedFen', { reservedFen: 0 })).textContent).toBe('0.00')
  })

  test('of money stands in yuan, thousands apart, without a sign of currency', async () => {
    expect((await ofOrder('paidFen', { paidFen: 123_456_789 })).textContent).toBe('1,234,567.89')
    expect((await ofOrder('paidFen', { paidFen: -5 })).textContent).toBe('-0.05')
  })

  test('that is counted has its thousands apart', async () => {
    expect((await shown(products, 'sold', { sold: 12_345, labels: {} })).textContent).toBe('12,345')
  })

  test('that is a share is told in percent, not in the thousandths it is reckoned by', async () => {
    expect((await shown(products, 'commissionPermille', { commissionPermille: 885, labels: {} })).textContent).toBe(
      '88.5%',
    )
  })

  test('of a choice is its word, and so is a yes or no', async () => {
    expect((await ofOrder('payState', { payState: 'EXAMINING' })).textContent).toBe('Awaiting review')
    expect((await shown(dictionary, 'builtIn', dictionaryType('1', { builtIn: true }))).textContent).toBe('Yes')
    expect((await shown(dictionary, 'builtIn', dictionaryType('1', { builtIn: false }))).textContent).toBe('No')
  })

  test('of a dictionary is its label, and the bare value when the dictionary does not know it', async () => {
    await ofOrder('source', { source: 'SHOP' })
    expect(await screen.findByText('Micro shop')).toBeTruthy()
    await ofOrder('source', { source: 'GONE' })
    expect(await screen.findByText('GONE')).toBeTruthy()
  })

  test('of a dictionary is nothing while its label is on the way, never its code', async () => {
    const entries = Promise.withResolvers<object>()
    const cell = await shown(orders, 'source', order('1', { source: 'SHOP' }), {
      'POST /api/common/attachMore': () => entries.promise,
    })
    expect(cell.textContent).toBe('')
    entries.resolve({ kvList: [{ k: 'Micro shop', v: 'SHOP', colour: null, enabled: true }] })
    await waitFor(() => expect(cell.textContent).toBe('Micro shop'))
  })

  test('that points at a member is a name, a masked phone and a dot that says the level', async () => {
    const cell = await ofOrder('memberId', {})
    expect(cell.textContent).toBe('李小墨138****8000')
    expect(screen.getByRole('img', { name: 'Member' })).toBeTruthy()
  })

  test('that points at somebody unknown is a dash, never a bare number', async () => {
    expect((await ofOrder('ownerId', { ownerId: '12', labels: {} })).textContent).toBe('–')
  })

  test('of files is pictures, and none are a dash', async () => {
    const resource = { screen: orders.screen, record: z.strictObject({ proofs: files('image', 3) }) }
    const link = { 'POST /api/common/file/a/link': () => ({ url: '/api/common/file/a?signature=1' }) }
    const cell = await shown(resource, 'proofs', { proofs: ['a'], labels: {} }, link)
    await waitFor(() => expect(cell.querySelector('img')?.getAttribute('src')).toBe('/api/common/file/a?signature=1'))
    expect((await shown(resource, 'proofs', { proofs: [], labels: {} })).textContent).toBe('–')
  })

  test('of long text can be read whole on hover', async () => {
    await ofOrder('note', { note: 'Ring after six' })
    expect(screen.getByTitle('Ring after six').textContent).toBe('Ring after six')
  })
})

describe('a time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2026-03-02T02:00:00.000Z')
  })
  const at = async (createdAt: string) => (await ofOrder('createdAt', { createdAt })).textContent

  test('near today is told by the day’s name, in the business’s time zone', async () => {
    expect(await at('2026-03-01T06:03:00.000Z')).toBe('yesterday 14:03')
    expect(await at('2026-03-01T16:00:00.000Z')).toBe('today 00:00')
    expect(await at('2026-03-02T16:00:00.000Z')).toBe('tomorrow 00:00')
    expect(await at('2026-03-03T16:00:00.000Z')).toBe('day after tomorrow 00:00')
  })

  test('further away is told by its date', async () => {
    expect(await at('2026-02-20T06:03:00.000Z')).toBe('2026-02-20 14:03')
  })

  test('shows its full stamp on hover', async () => {
    await at('2026-03-01T06:03:09.000Z')
    fireEvent.mouseEnter(screen.getByText('yesterday 14:03'))
    expect((await screen.findByRole('tooltip')).textContent).toBe('2026-03-01 14:03:09')
  })
})

describe('a number people copy', () => {
  const copy = async (writeText: () => Promise<void>) => {
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }))
    await renderPage(<Code>202603020000000005</Code>)
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  }

  test('is in the clipboard after a click, and that is said', async () => {
    const writeText = vi.fn(async () => {})
    await copy(writeText)
    expect(await screen.findByText('Copy succeeded')).toBeTruthy()
    expect(writeText).toHaveBeenCalledWith('202603020000000005')
  })

  test('that could not be copied is said too', async () => {
    await copy(() => Promise.reject(new Error('denied')))
    expect(await screen.findByText('Copy failed')).toBeTruthy()
  })
})
