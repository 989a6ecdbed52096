import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Decision } from '#kit/model/decision.ts'
import { addDays } from '#kit/model/time.ts'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, renderPage, type } from '../../../../tools/testing/page.tsx'
import { evenly, type Figures, splitOf } from './model.ts'
import { Page } from './page.tsx'
import { askAgainIn } from './use-workbench.page.tsx'

const CALL = 'GET /api/workbench/workbench'
const DECIDED: Decision = {
  id: '9',
  screen: 'orders/refund-application',
  what: 'Refund applications',
  name: 'R260001',
  state: 'Rejected',
  tone: 'failed',
  by: '李敏',
  at: '2026-11-15T02:00:00.000Z',
  reason: 'no receipt',
  path: '/order/refundApply?open=9',
}
const DAY: Figures = {
  orders: Array.from({ length: 14 }, (_, index) => ({
    day: addDays('2026-11-02', index),
    placed: index,
    paidFen: index * 100,
  })),
  toDos: [],
  decisions: [DECIDED],
  measures: [
    {
      name: 'ordersPaid',
      isOwn: true,
      period: 'month',
      count: 3,
      fen: 12_300,
      before: { count: 2, fen: 9_900 },
      oldestAt: null,
      path: '/order/list?paidAtBegin=2026-11-01&paidAtEnd=2026-11-15',
    },
  ],
  lowStock: {
    count: 7,
    path: '/logistics/baseProduct?isLow=true',
    products: [{ id: '1', name: '字帖', unit: '本', available: 3, warnAt: 10, path: null }],
  },
  care: null,
}

describe('the workbench', () => {
  beforeEach(() => loadTexts('workbench/workbench'))
  const open = (
    day: Partial<Figures> = {},
    grants: Record<string, string[]> = { order: [], 'order-list': ['list'] },
    calls: Calls = {},
  ) => renderPage(<Page />, { grants, calls: { [CALL]: () => ({ ...DAY, ...day }), ...calls } })

  test('comes whole with one call', async () => {
    const page = await open()
    await screen.findByText('My orders paid this month')
    expect(page.sent().map(({ name }) => name)).toEqual([CALL])
  })

  test('asks again for a figure that could not be counted in time, ever more seldom and not for ever', () => {
    const [paid] = DAY.measures
    const missing: Figures = { ...DAY, measures: paid ? [{ ...paid, count: null, fen: null }] : [] }
    expect([1, 2, 4, 5].map(asked => askAgainIn(missing, asked))).toEqual([10_000, 20_000, 40_000, false])
    expect([askAgainIn(DAY, 1), askAgainIn(undefined, 0)]).toEqual([false, false])
  })

  test('tells what was decided on what one asked for, why and by whom, and leads there', async () => {
    const page = await open()
    const part = within(await screen.findByRole('region', { name: 'Decisions on your requests' }))
    for (const words of ['Rejected', 'Reason: no receipt', /李敏/]) expect(part.getByText(words)).toBeTruthy()
    fireEvent.click(part.getByRole('button', { name: 'R260001' }))
    expect(page.opened).toEqual([DECIDED.path])
  })

  test('names whom a teacher sees to today, and leads to them', async () => {
    const page = await open({
      care: [
        {
          kind: 'followUps',
          count: 1,
          path: null,
          members: [
            {
              id: '7',
              name: '丁三',
              at: '2026-11-16T02:00:00.000Z',
              said: 'ask about the grip',
              path: '/members/list?open=7',
            },
          ],
        },
        { kind: 'ending', count: 0, path: '/members/list', members: [] },
        { kind: 'quiet', count: 9, path: '/members/list?lastWorkAtEnd=2026-11-09', members: [] },
      ],
    })
    const part = within(await screen.findByRole('region', { name: 'Members to contact today' }))
    expect(part.getByText('ask about the grip')).toBeTruthy()
    fireEvent.click(part.getByRole('button', { name: '丁三' }))
    fireEvent.click(screen.getByRole('button', { name: 'Show all (9)' }))
    expect(page.opened).toEqual(['/members/list?open=7', '/members/list?lastWorkAtEnd=2026-11-09'])
    expect(screen.getByText('No membership ends soon')).toBeTruthy()
  })

  test('shows how much of one’s own target is reached, once it is set', async () => {
    const page = await open({}, undefined, { 'PUT /api/account/preference': ({ body }) => body })
    fireEvent.click(await screen.findByRole('button', { name: 'Set monthly target' }))
    const amount = await screen.findByLabelText('Paid orders per month (¥)')
    type(amount as HTMLInputElement, '246')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Target ¥246.00, 50% reached')).toBeTruthy()
    expect(page.sent('PUT /api/account/preference').map(({ body }) => body)).toEqual([{ monthlyTargetFen: 24_600 }])
  })

  test('leads on to older decisions, until there are no more', async () => {
    const page = await open({}, undefined, {
      'GET /api/workbench/workbench/decisions/earlier': ({ query }) => ({
        records: [
          { ...DECIDED, id: query.before === DECIDED.id ? '5' : '4', name: query.before === DECIDED.id ? 'R5' : 'R4' },
        ],
        before: query.before === DECIDED.id ? '5' : null,
      }),
    })
    const part = within(await screen.findByRole('region', { name: 'Decisions on your requests' }))
    fireEvent.click(part.getByRole('button', { name: 'Show earlier decisions' }))
    expect(await part.findByRole('button', { name: 'R5' })).toBeTruthy()
    fireEvent.click(part.getByRole('button', { name: 'Show earlier decisions' }))
    expect(await part.findByRole('button', { name: 'R4' })).toBeTruthy()
    expect(await part.findByText('These are all of them')).toBeTruthy()
    expect(page.sent('GET /api/workbench/workbench/decisions/earlier').map(({ query }) => query)).toEqual([
      { before: DECIDED.id },
      { before: '5' },
    ])
  })

  test('says of whoever may ask and has heard nothing that nothing was decided, and leaves others alone with it', async () => {
    await open({ decisions: [] })
    expect(await screen.findByText(/Nothing new in the last 7 days/)).toBeTruthy()
    await open({ decisions: null })
    await screen.findByText('Running low')
    expect(screen.queryByText('Decisions on your requests')).toBeNull()
  })

  test('has no empty pane for whom nothing can wait: one line says so, and the figures take the room', async () => {
    await open({ decisions: null, lowStock: null })
    expect(await screen.findByText('Nothing to do at the moment')).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'To do' })).toBeNull()
  })

  const waits = (step: string, count: number, dueAt: string | null = null): Figures['toDos'][number] => ({
    screen: `orders/${step}`,
    path: `/order/${step}`,
    step,
    title: step,
    count,
    isMore: false,
    oldestAt: dueAt && '2026-01-01T00:00:00.000Z',
    dueAt,
  })

  test('has what is overdue first, then what there is most of, and only names what nothing waits of', async () => {
    const late = waits('Call back', 2, '2026-01-02T00:00:00.000Z')
    const page = await open({ toDos: [waits('Approve', 0), waits('Send', 3), waits('Answer', 9), late] })
    await screen.findByText('Nothing waiting:')
    const part = within(screen.getByRole('region', { name: 'To do' }))
    const told = part.getAllByRole('button').map(({ textContent }) => textContent)
    expect(told.map(text => /^[A-Z][a-z ]+/.exec(text ?? '')?.[0].trim())).toEqual([
      'Call back',
      'Answer',
      'Send',
      'Approve',
    ])
    fireEvent.click(part.getByRole('button', { name: 'Approve' }))
    expect(page.opened).toEqual(['/order/Approve'])
  })

  test('has nothing that would move when the answer comes: places of what waits and is measured, and no more', async () => {
    await open({}, undefined, { [CALL]: () => new Promise(() => {}) })
    expect(screen.getAllByRole('region').map(part => part.getAttribute('aria-label'))).toEqual([
      'To do',
      'Key figures',
      'Daily orders',
    ])
  })

  test('names the refund notices the bell counts among the notifications', async () => {
    await open({}, { 'dy-code': ['list'] }, { 'GET /api/message/web/count': () => ({ total: 16 }) })
    const part = within(await screen.findByRole('region', { name: 'Latest notifications' }))
    expect(await part.findByRole('button', { name: '16 unprocessed refund notices, open' })).toBeTruthy()
  })

  test('says in words why a figure is missing', async () => {
    await open({ measures: DAY.measures.map(measured => ({ ...measured, count: null, fen: null })) })
    const card = (await screen.findByText('My orders paid this month')).closest('button') as HTMLButtonElement
    expect(card.textContent).toContain('Could not be counted just now')
  })

  test('shows a figure beside the same days of last month, and opens its rows', async () => {
    const page = await open()
    const card = (await screen.findByText('My orders paid this month')).closest('button') as HTMLButtonElement
    expect(card.textContent).toContain('123.00')
    expect(card.textContent).toContain('Same days last month: ¥99.00')
    fireEvent.click(card)
    expect(page.opened).toEqual([DAY.measures[0]?.path])
  })

  test('has days that the arrow keys go through and Enter opens', async () => {
    const page = await open()
    const [chart] = await screen.findAllByRole('slider')
    fireEvent.focus(chart as HTMLElement)
    fireEvent.keyDown(chart as HTMLElement, { key: 'ArrowLeft' })
    expect(chart?.getAttribute('aria-valuetext')).toBe('2026-11-14 · 12')
    expect(screen.getByText('2026-11-14 · 12')).toBeTruthy()
    fireEvent.keyDown(chart as HTMLElement, { key: 'Enter' })
    expect(page.opened).toEqual(['/order/list?createdAtBegin=2026-11-14&createdAtEnd=2026-11-14'])
  })

  test('offers the pages somebody may do most on until that person chooses', async () => {
    await open({}, { order: [], 'order-list': ['list', 'detail'], 'order-refundApply': ['list'] })
    const part = within(await screen.findByRole('region', { name: 'Shortcuts' }))
    expect(part.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Choose pages',
      'Orders',
      'Refund applications',
    ])
  })
})

describe('boxes of unlike height', () => {
  const between = (heights: readonly number[]) => {
    const second = new Set(splitOf(heights))
    const sum = (isSecond: boolean) =>
      heights.reduce((all, height, index) => all + (second.has(index) === isSecond ? height : 0), 0)
    return Math.abs(sum(true) - sum(false))
  }

  test('stand in two columns of about the same height, the first of them in the first', () => {
    for (const heights of [
      [460, 290, 380, 130, 85],
      [137, 326, 290, 135, 85],
      [390, 80, 240, 240, 290, 380, 130, 85],
    ]) {
      expect(between(heights)).toBeLessThan(120)
      expect(splitOf(heights)).not.toContain(0)
    }
    expect(splitOf([100])).toEqual([])
  })

  test('and of the cards in one of them the last line is about as full as the others', () => {
    expect([1, 3, 6, 7, 14, 35, 44].map(evenly)).toEqual([1, 3, 6, 4, 5, 6, 5])
  })
})
