import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Page as ShopOrders } from '#areas/live/channel-order/page.tsx'
import { Page as Members } from '#areas/members/member/page.tsx'
import { Page as Orders } from '#areas/orders/order/page.tsx'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import {
  type Calls,
  held,
  inTurn,
  paged,
  pick,
  press,
  type Rendered,
  refused,
  renderPage,
  type,
} from '../../../../tools/testing/page.tsx'
import { commonCalls, dictionaryType, order, refund } from '../../../../tools/testing/page-records.ts'

const MEMBERS = 'GET /api/members/member'
const ORDERS = 'GET /api/orders/order'
const REFUNDS = 'GET /api/orders/refund-application'
const TYPES = 'GET /api/system/dictionary'
const SHOP_ORDERS = 'GET /api/live/channel-order'

const openOrders = (search = '', calls: Calls = {}) =>
  renderPage(<Orders />, {
    search,
    superAdmin: true,
    calls: {
      ...commonCalls,
      [ORDERS]: () => paged([order('1')]),
      [`${ORDERS}/counts`]: () => ({ UNPAID: 3, PAID: 12, CLOSED: 1 }),
      ...calls,
    },
  })
const openRefunds = (search = '', calls: Calls = {}) =>
  renderPage(<Refunds />, {
    search,
    superAdmin: true,
    calls: { ...commonCalls, [REFUNDS]: () => paged([refund('1')]), [`${REFUNDS}/counts`]: () => ({}), ...calls },
  })
const openShopOrders = (search: string, counts: Calls[string]) =>
  renderPage(<ShopOrders />, {
    search,
    superAdmin: true,
    calls: { ...commonCalls, [SHOP_ORDERS]: () => paged([]), [`${SHOP_ORDERS}/counts`]: counts },
  })
const openTypes = (search = '', calls: Calls = {}) =>
  renderPage(<Dictionary />, {
    search,
    superAdmin: true,
    calls: { [TYPES]: () => paged([dictionaryType('1')]), ...calls },
  })

const asked = (page: Rendered, name: string) => page.sent(name).at(-1)?.query
const chips = () => [...document.querySelectorAll('.inkstone-top > .ant-space .ant-tag')].map(chip => chip.textContent)
const find = (text: string) => {
  const box = screen.getByLabelText('Search')
  type(box, text)
  const key = { key: 'Enter', code: 'Enter', keyCode: 13 }
  fireEvent.keyDown(box, key)
  fireEvent.keyUp(box, key)
}

describe('tabs', () => {
  test('show how many rows stand in each state, and all together', async () => {
    await openOrders()
    await screen.findByText('All 16')
    const tabs = [...document.querySelectorAll('[role=tab]')].map(tab => tab.textContent)
    expect(tabs).toEqual(['All 16', 'Unpaid 3', 'Awaiting review 0', 'Paid 12', 'Closed 1'])
  })

  test('set the filter in the address and begin on the first page; "all" takes it away', async () => {
    const page = await openOrders('current=3')
    fireEvent.click(await screen.findByText('Unpaid 3'))
    await waitFor(() => expect(asked(page, ORDERS)).toMatchObject({ payState: 'UNPAID', current: '1' }))
    expect(page.address()).toBe('payState=UNPAID')
    fireEvent.click(screen.getByText('All 16'))
    await waitFor(() => expect(asked(page, ORDERS)?.payState).toBeUndefined())
    expect(page.address()).toBe('')
  })

  test('show what has waited too long, with its number, where states may last only so long', async () => {
    const page = await openRefunds('status=SUBMITTED', {
      [`${REFUNDS}/counts`]: ({ query }) => (query.overdue === '1' ? { SUBMITTED: 2, PAYING: 1 } : { SUBMITTED: 9 }),
    })
    fireEvent.click(await screen.findByText('Overdue 3'))
    await waitFor(() => expect(asked(page, REFUNDS)).toMatchObject({ overdue: '1' }))
    expect(page.address()).toBe('overdue=1')
    const late = screen.getByText('Overdue 3')
    expect(late.closest('[role=tab]')?.getAttribute('aria-selected')).toBe('true')
    // In sight beside "all", however many states there are, and in the colour of what needs somebody.
    expect(screen.getAllByRole('tab').findIndex(tab => tab.contains(late))).toBe(1)
    expect(late.style.color).not.toBe('')
    // The other tabs tell what would stand in them.
    fireEvent.click(screen.getByText('All 9'))
    await waitFor(() => expect(asked(page, REFUNDS)?.overdue).toBeUndefined())
    expect(page.address()).toBe('')
    await openOrders()
    await screen.findByText('All 16')
    expect(document.body.textContent).not.toContain('Overdue 0')
  })

  test('show what is wrong, with its number, where a list says what that is', async () => {
    const page = await openShopOrders('status=BOUGHT', ({ query }) =>
      query.exception ? { BOUGHT: 2, REFUNDED: 1 } : { BOUGHT: 9 },
    )
    fireEvent.click(await screen.findByText('Exceptions 3'))
    await waitFor(() => expect(asked(page, SHOP_ORDERS)?.exception).toContain('PHONE_MISMATCH'))
    expect(asked(page, SHOP_ORDERS)?.exception).not.toContain('NONE')
    expect(asked(page, SHOP_ORDERS)?.status).toBeUndefined()
    expect(screen.getByText('Exceptions 3').closest('[role=tab]')?.getAttribute('aria-selected')).toBe('true')
    // The tab tells it already, and the other tabs tell what would stand in them.
    expect(chips()).toEqual([])
    fireEvent.click(screen.getByText('All 9'))
    await waitFor(() => expect(page.address()).toBe(''))
  })

  test('leave what is picked of what is wrong to a chip, under whatever state', async () => {
    const page = await openShopOrders('exception=PHONE_MISMATCH', () => ({ BOUGHT: 1 }))
    await waitFor(() => expect(chips()).toEqual(['Exception: Phones differ']))
    fireEvent.click(await screen.findByText('Awaiting claim 1'))
    expect(page.address()).toBe('exception=PHONE_MISMATCH&status=BOUGHT')
  })

  test('follow an address somebody sent', async () => {
    await openOrders('payState=PAID')
    const tab = await screen.findByText('Paid 12')
    expect(tab.getAttribute('aria-selected')).toBe('true')
    expect(chips()).toEqual([])
  })

  test('count what the other filters leave, and show a dash where nobody can count it in time', async () => {
    const page = await openOrders('source=APP&payState=PAID', { [`${ORDERS}/counts`]: () => null })
    await screen.findByText('All –')
    expect(screen.getByText('Unpaid –')).toBeTruthy()
    expect(asked(page, `${ORDERS}/counts`)).toEqual({ source: 'APP' })
  })

  test('a number nobody had in time is asked for again later, and then stands there', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const counts = inTurn(
        () => null,
        () => ({ UNPAID: 3 }),
      )
      const page = await openOrders('', { [`${ORDERS}/counts`]: counts })
      await screen.findByText('Unpaid –')
      await act(() => vi.advanceTimersByTimeAsync(60_000))
      expect(await screen.findByText('Unpaid 3')).toBeTruthy()
      await act(() => vi.advanceTimersByTimeAsync(600_000))
      expect(page.sent(`${ORDERS}/counts`)).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that cannot show two states at once leave that to a chip', async () => {
    const page = await openOrders('payState=PAID&payState=CLOSED')
    await waitFor(() => expect(chips()).toEqual(['Payment: Paid, Closed']))
    expect(asked(page, ORDERS)?.payState).toEqual(['PAID', 'CLOSED'])
  })
})

describe('a filter', () => {
  test('chosen on the bar goes to the address and to the server, as often as it has values', async () => {
    const page = await openOrders()
    await pick(screen.getByLabelText('Refund'), 'Part')
    await pick(screen.getByLabelText('Refund'), 'Full')
    expect(page.address()).toBe('refundState=PARTIAL&refundState=FULL')
    await waitFor(() => expect(asked(page, ORDERS)?.refundState).toEqual(['PARTIAL', 'FULL']))
  })

  test('is left by Tab, which takes off nothing and chooses nothing that is merely highlighted', async () => {
    const page = await openOrders()
    const field = screen.getByLabelText('Refund')
    await pick(field, 'Part')
    fireEvent.keyDown(field, { key: 'Tab', which: 9, keyCode: 9 })
    expect(page.address()).toBe('refundState=PARTIAL')
  })

  test('is shown as a chip in words, and can be taken off alone or with all others', async () => {
    const page = await openOrders(
      'source=SHOP&memberId=71&amountFenBegin=10000&amountFenEnd=250000&createdAtBegin=2026-03-01&current=2',
    )
    await waitFor(() =>
      expect(chips()).toEqual([
        'Ordered at: ≥ 2026-03-01',
        'Member: 张明',
        'Source: Micro shop',
        'Amount: ≥ 100.00 ≤ 2,500.00',
      ]),
    )
    fireEvent.click(document.querySelectorAll('.ant-tag-close-icon')[3] as Element)
    expect(page.address()).toBe('source=SHOP&memberId=71&createdAtBegin=2026-03-01')
    press('Clear filters')
    expect(page.address()).toBe('')
    expect(chips()).toEqual([])
    expect(page.sent('POST /api/common/attachMore').map(({ body }) => body)).not.toContainEqual([
      { type: 'D', target: '' },
    ])
  })

  test('of what waits for the person is a chip with the words of its card', async () => {
    const page = await openRefunds('todo=pay')
    await screen.findByText('R2026030200001')
    expect(page.sent(REFUNDS)[0]?.query).toMatchObject({ todo: 'pay' })
    fireEvent.click(
      (screen.getByText('Refunds to pay').closest('.ant-tag') as Element).querySelector('.anticon-close') as Element,
    )
    expect(page.address()).toBe('')
  })

  test('used more seldom is behind "more filters", which says how many are set', async () => {
    const page = await openTypes('builtIn=true')
    expect(screen.queryByLabelText('Built in')).toBeNull()
    press('More filters 1')
    const select = await screen.findByLabelText('Built in')
    expect(chips()).toEqual(['Built in: Yes'])
    await pick(select, 'No')
    await waitFor(() => expect(asked(page, TYPES)?.builtIn).toBe('false'))
    expect(page.address()).toBe('builtIn=false')
  })

  test('of text waits for Enter, and is emptied by its cross', async () => {
    const page = await openTypes()
    const box = screen.getByLabelText('Code', { selector: 'input' })
    type(box, ' PEN ')
    expect(page.address()).toBe('')
    fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13 })
    expect(page.address()).toBe('code=PEN')
    fireEvent.click(
      screen
        .getByLabelText('Code', { selector: 'input' })
        .closest('.ant-input-affix-wrapper')
        ?.querySelector('button') as Element,
    )
    await waitFor(() => expect(page.address()).toBe(''))
  })

  test('of money is typed in yuan and asked in fen', async () => {
    const page = await openRefunds()
    press('More filters')
    const [from] = await screen.findAllByLabelText('From')
    if (!from) throw new Error('no amount to filter by')
    type(from, '12.5')
    fireEvent.keyDown(from, { key: 'Enter', code: 'Enter', keyCode: 13 })
    await waitFor(() => expect(asked(page, REFUNDS)?.amountFenBegin).toBe('1250'))
    await waitFor(() => expect(chips()).toEqual(['Amount: ≥ 12.50']))
  })

  test('of time is a range of days', async () => {
    const page = await openRefunds()
    const [from, to] = [await screen.findByPlaceholderText('Start date'), screen.getByPlaceholderText('End date')]
    const enter = (box: HTMLElement, day: string) => {
      fireEvent.mouseDown(box)
      fireEvent.click(box)
      type(box, day)
      fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13 })
    }
    enter(from, '2026-03-01')
    enter(to, '2026-03-05')
    await waitFor(() => expect(page.address()).toBe('createdAtBegin=2026-03-01&createdAtEnd=2026-03-05'))
    await waitFor(() => expect(chips()).toEqual(['Requested at: ≥ 2026-03-01 ≤ 2026-03-05']))
  })

  test('of a dictionary shows at most six tags, and counts the rest', async () => {
    const entries = 'ABCDEFGH'.split('').map(v => ({ k: `Reason ${v}`, v, colour: null, enabled: true }))
    await openRefunds(entries.map(({ v }) => `reason=${v}`).join('&'), {
      'POST /api/common/attachMore': () => ({ refundReasonKvList: entries }),
    })
    const select = screen.getByLabelText('Reason').closest('.ant-select') as HTMLElement
    await within(select).findByText('Reason A')
    const tags = [...select.querySelectorAll('.ant-select-selection-item-content')].map(tag => tag.textContent)
    expect(tags).toEqual([...'ABCDEF'].map(letter => `Reason ${letter}`).concat('+ 2 ...'))
  })
})

describe('the search box', () => {
  test('says that a number is looked for, where people stand in the list by theirs', async () => {
    const calls = { ...commonCalls, [MEMBERS]: () => paged([]), [`${MEMBERS}/counts`]: () => ({}) }
    await renderPage(<Members />, { superAdmin: true, calls })
    expect(await screen.findByPlaceholderText('Name/Phone')).toBeTruthy()
  })

  test('says how a phone is found when its last four digits alone find nothing', async () => {
    await openOrders('query=8000', { [ORDERS]: () => paged([]) })
    expect(await screen.findByText(/or a name with its last four digits/)).toBeTruthy()
  })

  test('puts words into the address, trimmed, and takes them from there', async () => {
    const page = await openOrders('query=硬笔')
    const box = screen.getByLabelText('Search') as HTMLInputElement
    expect(box.value).toBe('硬笔')
    expect([box.placeholder, box.title]).toEqual(['Order no./Member/Product', 'Search Order no./Member/Product'])
    find('  毛笔 ')
    expect(new URLSearchParams(page.address()).get('query')).toBe('毛笔')
    await waitFor(() => expect(asked(page, ORDERS)?.query).toBe('毛笔'))
    page.go('query=楷书')
    expect(box.value).toBe('楷书')
  })

  test('exchanges a phone number for its member: the number is in no address', async () => {
    const page = await openOrders('', {
      'POST /api/orders/order/find-by-phone': () => ({ field: 'memberId', ids: ['70'] }),
    })
    find('+86 138-0013-8000')
    await waitFor(() => expect(page.address()).toBe('memberId=70'))
    expect(page.sent('POST /api/orders/order/find-by-phone').map(({ body }) => body)).toEqual([
      { phone: '13800138000' },
    ])
    await waitFor(() => expect(asked(page, ORDERS)?.memberId).toBe('70'))
    expect(JSON.stringify(page.sent().map(({ name, query }) => [name, query]))).not.toMatch(/138|8000/)
    expect((screen.getByLabelText('Search') as HTMLInputElement).value).toBe('')
    await waitFor(() => expect(chips()).toEqual(['Member: 李小墨']))
  })

  test('takes the place of the search before it, whether that was by words or by a number', async () => {
    const page = await openOrders('payState=PAID', {
      'POST /api/orders/order/find-by-phone': ({ body }) => ({
        field: 'memberId',
        ids: (body as { phone: string }).phone === '13800138000' ? ['70'] : [],
      }),
    })
    const address = () => Object.fromEntries(new URLSearchParams(page.address()))
    find('硬笔')
    await waitFor(() => expect(address()).toEqual({ payState: 'PAID', query: '硬笔' }))
    find('13800138000')
    await waitFor(() => expect(address()).toEqual({ payState: 'PAID', memberId: '70' }))
    find('毛笔')
    await waitFor(() => expect(address()).toEqual({ payState: 'PAID', query: '毛笔' }))
    find('13800138000')
    await waitFor(() => expect(address()).toEqual({ payState: 'PAID', memberId: '70' }))
    find('13900139000')
    await waitFor(() => expect(address()).toEqual({ payState: 'PAID', nobody: '1' }))
  })

  test('is the last search: the answer to an older one that comes late changes nothing any more', async () => {
    const late = held<unknown>()
    const page = await openOrders('', { 'POST /api/orders/order/find-by-phone': late.answer })
    find('13800138000')
    find('毛笔')
    await waitFor(() => expect(page.address()).toBe(new URLSearchParams({ query: '毛笔' }).toString()))
    late.give({ field: 'memberId', ids: ['70'] })
    await act(() => new Promise(resolve => setTimeout(resolve, 50)))
    expect(page.address()).toBe(new URLSearchParams({ query: '毛笔' }).toString())
  })

  test('exchanges a name and the last four digits for whom both fit: neither is in an address', async () => {
    const page = await openOrders('', {
      'POST /api/orders/order/find-by-phone': () => ({ field: 'memberId', ids: ['70', '71'] }),
    })
    find(' 小墨 8000 ')
    await waitFor(() => expect(page.address()).toBe('memberId=70&memberId=71'))
    expect(page.sent('POST /api/orders/order/find-by-phone').map(({ body }) => body)).toEqual([{ phone: '小墨 8000' }])
    expect(JSON.stringify(page.sent().map(({ name, query }) => [name, query]))).not.toMatch(/小墨|8000/)
  })

  test('shows no rows and says so when a number belongs to nobody, until something else is asked', async () => {
    const page = await openOrders('', {
      'POST /api/orders/order/find-by-phone': () => ({ field: 'memberId', ids: [] }),
      'GET /api/orders/order': ({ query }) => (query.nobody === '1' ? paged([], 0) : paged([order('1')])),
    })
    const rows = () => document.querySelectorAll('tr.ant-table-row').length
    await waitFor(() => expect(rows()).toBeGreaterThan(0))
    find('13800138000')
    expect(await screen.findByText('No member with this phone number')).toBeTruthy()
    await waitFor(() => expect(rows()).toBe(0))
    // The server holds it: whatever is asked of this list, its export too, is asked of nobody.
    expect(page.address()).toBe('nobody=1')
    // Said once: the chip only names what is searched for.
    expect(chips()).toEqual(['Phone: not found'])
    find('')
    await waitFor(() => expect(rows()).toBeGreaterThan(0))
    expect(page.address()).toBe('')
  })

  test('shows no rows and the reason when a number is refused, and never the rows of the search before', async () => {
    const reason = 'The member of this number belongs to another team; ask 周主管'
    const page = await openOrders('query=硬笔', {
      'POST /api/orders/order/find-by-phone': () => refused(CODES.rule, `Not done: ${reason}`),
      'GET /api/orders/order': ({ query }) => (query.nobody === 'refused' ? paged([], 0) : paged([order('1')])),
    })
    const rows = () => document.querySelectorAll('tr.ant-table-row').length
    await waitFor(() => expect(rows()).toBeGreaterThan(0))
    find('13800138000')
    await waitFor(() => expect(rows()).toBe(0))
    expect(page.address()).toBe('nobody=refused')
    expect(document.querySelector('.ant-empty-description')?.textContent).toBe(reason)
    find('毛笔')
    await waitFor(() => expect(rows()).toBeGreaterThan(0))
    expect(Object.fromEntries(new URLSearchParams(page.address()))).toEqual({ query: '毛笔' })
  })

  test('takes a name with four digits at its end as a name with the end of a number, or else as what a product is called', async () => {
    const page = await openOrders('', {
      'POST /api/orders/order/find-by-phone': ({ body }) => ({
        field: 'memberId',
        ids: (body as { phone: string }).phone === '小墨8000' ? ['70'] : [],
      }),
    })
    find('小墨8000')
    await waitFor(() => expect(page.address()).toBe('memberId=70'))
    find('常用字3500')
    await waitFor(() => expect(new URLSearchParams(page.address()).get('query')).toBe('常用字3500'))
  })

  test('says so when a number belongs to nobody, or the list has nobody in it', async () => {
    const page = await openOrders('', {
      'POST /api/orders/order/find-by-phone': () => ({ field: 'memberId', ids: [] }),
    })
    find('13800138000')
    expect(await screen.findByText('Phone: not found')).toBeTruthy()
    expect(page.address()).toBe('nobody=1')

    const types = await openTypes('', {
      'POST /api/system/dictionary/find-by-phone': () => refused(CODES['not-found'], 'Not found: address', null, 404),
    })
    find('13800138000')
    expect(await screen.findByText('Phone: not found')).toBeTruthy()
    find('田字格 2024')
    await waitFor(() => expect(new URLSearchParams(types.address()).get('query')).toBe('田字格 2024'))
    find('')
    await waitFor(() => expect(types.address()).toBe(''))
  })
})

test.each([
  'createdAtBegin=abc&createdAtEnd=9999-12-31',
  'amountFenBegin=abc&amountFenEnd=1e400',
  'current=1e400&size=-3',
])('a list whose address says what nobody can mean (%s) stands, and says what the server says of it', async address => {
  const words = 'Parameters not valid: createdAtBegin'
  await openOrders(address, { [ORDERS]: () => refused(4000, words, null, 400) })
  await screen.findByText(words)
  expect(document.body.textContent).not.toMatch(/N\.?aN|Infinity|Invalid/)
})
