import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { stagesOf } from '#kit/page/detail/path.tsx'
import { paged, press, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { workflow as approval } from '../shipment-approval/model.ts'
import { PRINTED_AT_ONCE } from './model.ts'
import { Page } from './page.tsx'

const LIST = 'GET /api/logistics/shipment'
const MERGE = 'POST /api/logistics/shipment/merge'
const LABELS = 'POST /api/logistics/shipment/labels'

const parcel = (id: string) => ({
  id,
  shipmentNo: `S202603010000${id}`,
  source: 'ORDER',
  status: 'WAITING',
  orderId: null,
  memberId: '5',
  receiverName: '王*',
  receiverPhone: '138****8000',
  province: 'ZJ',
  receiverAddress: '杭州市***',
  goodsName: '启蒙礼盒',
  parts: [{ baseProductId: '1', sku: 'PEN', name: '钢笔', quantity: 2 }],
  waitsForStock: false,
  isRepeat: false,
  resendOf: null,
  mergedInto: null,
  applicantId: null,
  decidedBy: null,
  printedAt: null,
  reprint: id === '2',
  carrier: null,
  trackingNo: null,
  trackingStatus: 'PENDING',
  lastEvent: '',
  lastEventAt: null,
  sentAt: null,
  signedAt: null,
  note: '',
  createdAt: '2026-03-01T02:00:00.000Z',
  version: 1,
  labels: {},
  steps: { send: null },
})

/** Of so many parcels in all, the newest first, those of one page of a hundred. */
const pageOf = (current: number, total: number) =>
  Array.from({ length: Math.min(100, total - (current - 1) * 100) }, (_, at) =>
    parcel(String(total - (current - 1) * 100 - at)),
  )

const open = async (grants: readonly string[], total = 2) => {
  const page = await renderPage(<Page />, {
    grants: { 'order-sendGoods': grants },
    calls: {
      ...commonCalls,
      [LIST]: ({ query }) =>
        paged(query.size === '100' ? pageOf(Number(query.current ?? 1), total) : [parcel('2'), parcel('1')], total),
      [`${LIST}/counts`]: ({ query }) => (query.overdue === '1' ? { WAITING: 0 } : { WAITING: 2, HELD: 0 }),
      [MERGE]: () => ({ id: '1' }),
      [LABELS]: ({ body }) =>
        (body as { ids: string[] }).ids.length > PRINTED_AT_ONCE
          ? { taskId: '9' }
          : new Response('%PDF-', { headers: { filename: 'Labels.pdf' } }),
    },
  })
  await screen.findByText('S2026030100002')
  return page
}
/** Chooses a row; what may be done with it comes by a chunk of its own. */
const tick = async (id: string) => {
  fireEvent.click(document.querySelector(`tr[data-row-key="${id}"] input[type=checkbox]`) as Element)
  await waitFor(() => expect(bar()).not.toBeNull())
}
const bar = () => document.querySelector('[role=toolbar]') as HTMLElement

describe('the send desk', () => {
  test('has a tab for what waits, for what is held and for what is late, and for nothing else', async () => {
    await open(['list'])
    await waitFor(() =>
      expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual([
        'All 2',
        'Overdue 0',
        'Awaiting shipment 2',
        'On hold 0',
      ]),
    )
  })

  test('puts chosen parcels into one, after a question that names each with its receiver', async () => {
    const page = await open(['list', 'merge'])
    await tick('1')
    expect((await within(bar()).findByText('Merge')).closest('button')?.disabled).toBe(true)
    await tick('2')
    press('Merge', bar())
    await screen.findByText('These 2 shipments will be merged into the oldest one, S2026030100001.')
    const named = [...document.querySelectorAll('.inkstone-matter li')].map(({ textContent }) => textContent)
    expect(named).toHaveLength(2)
    for (const [at, id] of ['1', '2'].entries()) expect(named[at]).toContain(`S202603010000${id}`)
    expect(named.every(text => text?.includes('王*'))).toBe(true)
    press('Merge 2', document.querySelector('.ant-modal-confirm') as HTMLElement)
    await waitFor(() => expect(page.sent().map(({ name }) => name)).toContain(MERGE))
    expect(page.sent().find(({ name }) => name === MERGE)?.body).toEqual({ ids: ['1', '2'] })
  })

  test('asks before a parcel leaves to whom it goes and where, not only whose it is', async () => {
    await open(['list', 'send'])
    press('Send', document.querySelector('tr[data-row-key="1"]') as HTMLElement)
    await waitFor(() => expect(document.querySelector('.inkstone-matter')).not.toBeNull())
    const told = document.querySelector('.inkstone-matter')?.textContent
    for (const fact of ['王*', '138****8000', '杭州市***']) expect(told).toContain(fact)
  })

  test('prints labels for chosen parcels, and shows the list as it stands then', async () => {
    const page = await open(['list', 'print'])
    await tick('1')
    await within(bar()).findByText('Print labels')
    press('Print labels', bar())
    await waitFor(() => expect(page.sent().filter(({ name }) => name === LIST)).toHaveLength(2))
    expect(page.sent().find(({ name }) => name === LABELS)?.body).toEqual({ ids: ['1'] })
  })

  describe('for all that match', () => {
    const chooseAll = async (total: number) => {
      const page = await open(['list', 'print', 'merge', 'hold'], total)
      await tick('1')
      await tick('2')
      fireEvent.click(await screen.findByText(`Select all ${total} that match`))
      await screen.findByText(`All ${total} that match are selected`)
      return page
    }
    const isClosed = (name: string) => within(bar()).getByText(name).closest('button')?.disabled

    test('prints what stands on other pages too; which parcels become one is chosen by hand', async () => {
      const page = await chooseAll(3)
      expect(isClosed('Merge')).toBe(true)
      press('Print labels', bar())
      await waitFor(() => expect(page.sent(LABELS).map(({ body }) => body)).toEqual([{ ids: ['3', '2', '1'] }]))
    })

    test('has many made by a task, and says where their file will be', async () => {
      const page = await chooseAll(230)
      press('Print labels', bar())
      expect(await screen.findByText(/You will be told when it is ready/)).toBeTruthy()
      const [sent] = page.sent(LABELS).map(({ body }) => (body as { ids: string[] }).ids)
      expect([sent?.length, sent?.[0], sent?.at(-1)]).toEqual([230, '230', '1'])
    })

    test('says why it prints nothing where they are too many', async () => {
      await chooseAll(501)
      expect([isClosed('Print pick list'), isClosed('Print labels')]).toEqual([true, true])
      fireEvent.pointerEnter(within(bar()).getByText('Print labels').closest('button') as Element)
      expect(await screen.findByText(/^At most 500 can be printed at once/)).toBeTruthy()
    })
  })

  test('offers neither to somebody who may only look', async () => {
    await open(['list'])
    await tick('1')
    expect(within(bar()).queryByText('Merge')).toBeNull()
    expect(within(bar()).queryByText('Print labels')).toBeNull()
  })

  test('warns of a label that must be printed again', async () => {
    await open(['list'])
    const row = document.querySelector('tr[data-row-key="2"]') as HTMLElement
    expect(within(row).getByText('Reprint label')).not.toBeNull()
  })
})

test('a parcel of an order waits for its approval before it may be sent, though nobody asked for it by hand', () => {
  const waits = { ...parcel('1'), status: 'TO_APPROVE', labels: {}, steps: {}, waiting: null }
  expect(stagesOf(approval as never, waits, []).map(({ key, stands }) => `${key} ${stands}`)).toEqual([
    'status.TO_APPROVE now',
    'status.WAITING to-come',
    'status.SENT to-come',
    'status.SIGNED to-come',
  ])
})
