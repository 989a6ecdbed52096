import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { paged, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { Messages } from './messages.page.tsx'

const notice = (id: string, registered: boolean) => ({
  id,
  status: 'UNREAD',
  content: JSON.stringify({
    pId: `order-${id}`,
    leadMobile: '139****0001',
    mobilePhone: registered ? '139****0002' : null,
    userId: null,
  }),
  registered,
  createdAt: '2026-03-02T06:00:00.000Z',
  processedAt: null,
  processedBy: null,
})
const PAGE = 'GET /api/message/web/page'

describe('refund info', () => {
  test('shows what waits: order, both phones, whether registered; 800 px wide, in two tabs', async () => {
    await renderPage(<Messages open onClose={() => {}} />, {
      calls: { [PAGE]: () => paged([notice('1', true), notice('2', false)]) },
    })
    expect(await screen.findByText('order-1')).toBeTruthy()
    // The words of the tags come with the slice that owns them, which may be later than the rows.
    await screen.findByText('Unregistered', { selector: 'span' })
    const rows = screen.getAllByRole('listitem')
    expect(rows.map(row => within(row).getByText(/egistered$/, { selector: 'span' }).textContent)).toEqual([
      'Registered',
      'Unregistered',
    ])
    expect(within(rows[1] as HTMLElement).getByText('–')).toBeTruthy()
    expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual(['Unprocessed', 'Processed'])
    expect(document.querySelector<HTMLElement>('.ant-modal')?.style.width).toBe('800px')
  })

  test('processing one marks it and asks again', async () => {
    let waiting = [notice('1', true)]
    const page = await renderPage(<Messages open onClose={() => {}} />, {
      calls: {
        [PAGE]: () => paged(waiting),
        'GET /api/message/app/read/1': () => {
          waiting = []
          return null
        },
      },
    })
    await screen.findByText('order-1')
    fireEvent.click(within(screen.getByRole('listitem')).getByRole('button', { name: 'Mark as processed' }))
    expect(await screen.findByText('No refund notices to process')).toBeTruthy()
    expect(page.sent('GET /api/message/app/read/1')).toHaveLength(1)
  })

  test('the second tab lists what is processed, and by whom', async () => {
    const page = await renderPage(<Messages open onClose={() => {}} />, {
      calls: {
        [PAGE]: ({ query }) =>
          paged(
            query.status === 'READ'
              ? [{ ...notice('9', true), processedBy: '李敏', processedAt: '2026-03-02T07:00:00.000Z' }]
              : [],
          ),
      },
    })
    await screen.findByText('No refund notices to process')
    fireEvent.click(screen.getByRole('tab', { name: 'Processed' }))
    expect(await screen.findByText(/李敏/)).toBeTruthy()
    expect(page.sent(PAGE).map(({ query }) => query.status)).toEqual(['UNREAD', 'READ'])
  })

  test('a failure offers to try again', async () => {
    let isUp = false
    await renderPage(<Messages open onClose={() => {}} />, {
      calls: { [PAGE]: () => (isUp ? paged([]) : refused(5000, 'Broken: again', null, 500)) },
    })
    await screen.findByText(/could not be loaded/)
    isUp = true
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getByText('No refund notices to process')).toBeTruthy())
  })
})
