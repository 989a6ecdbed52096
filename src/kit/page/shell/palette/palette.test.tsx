import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import type { Found } from '#kit/model/found.ts'
import { inTurn, type PageOptions, refused, renderPage, type } from '../../../../../tools/testing/page.tsx'
import { loadTexts } from '../../language.ts'
import { usePageKeys } from '../../page-keys.ts'
import { hideOverlay, showOverlay, useOverlay } from '../overlay.ts'
import { setNavigate } from '../session/navigation.ts'
import { useTabs } from '../tabs/tabs.ts'
import { HelpSheet } from './help-sheet.tsx'
import { Palette } from './palette.tsx'
import { type Entry, findEntries } from './search.ts'

const entry = (key: string, ...words: string[]): Entry => ({
  key,
  section: 'screens',
  title: key,
  group: '',
  words,
  open: () => {},
})
const ENTRIES = [
  entry('refund', '退款申请', 'Refund applications', 'Solicitações de reembolso', 'tuikuanshenqing', 'tksq'),
  entry('order', '订单列表', 'Orders', 'Pedidos', 'dingdanliebiao', 'ddlb'),
  entry('dictionary', '数据字典', 'Dictionary', 'Dicionário', 'shujuzidian', 'sjzd'),
]
const found = (typed: string) => findEntries(ENTRIES, typed).map(({ key }) => key)

describe('finding a page', () => {
  test('by its name in any language, by pinyin and by its initials', () => {
    expect(found('退款')).toEqual(['refund'])
    expect(found('refund')).toEqual(['refund'])
    expect(found('tuikuan')).toEqual(['refund'])
    expect(found('tksq')).toEqual(['refund'])
    expect(found('TK')).toEqual(['refund'])
    expect(found('dicionario')).toEqual(['dictionary'])
  })

  test('a name that begins with it comes before a word inside one', () => {
    const entries = [entry('inside', 'Reorders'), entry('word', 'Browse orders'), entry('start', 'Orders')]
    expect(findEntries(entries, 'order').map(({ key }) => key)).toEqual(['start', 'word', 'inside'])
  })

  test('nothing typed shows all, nonsense shows none', () => {
    expect(found('')).toHaveLength(3)
    expect(found('xyz')).toEqual([])
  })
})

const record = (id: string, more: Partial<Found> = {}): Found => ({
  screen: 'orders/order',
  id,
  title: `20261115000000000${id}`,
  facts: ['林小满 138****8000', '¥100.00'],
  state: { text: 'Paid', tone: 'done' },
  isExact: false,
  path: `/order/list?open=${id}`,
  ...more,
})
const answer = (...records: Found[]) => ({ records, isComplete: true })
const VIEW = { id: '3', page: 'order-list', name: '重点订单', query: 'payState=PAID', isShared: false, isMine: true }

const opened: string[] = []
beforeEach(() => {
  opened.length = 0
  setNavigate(to => void opened.push(to))
  useTabs.setState({ tabs: [], unsaved: new Set() })
})

async function open({ calls = {}, ...options }: PageOptions = { superAdmin: true }) {
  const onClose = vi.fn()
  await loadTexts('kit/page/shell/palette')
  const page = await renderPage(<Palette open onClose={onClose} />, {
    ...options,
    calls: {
      'GET /api/common/views': () => [{ ...VIEW, by: 'Tester', names: ['重点订单', 'zhongdiandingdan', 'zddd'] }],
      [SEARCH]: () => answer(),
      ...calls,
    },
  })
  return { input: await screen.findByRole('combobox'), onClose, page }
}
const SEARCH = 'POST /api/common/search'
const options = () =>
  screen.queryAllByRole('option').map(option => option.querySelector('.ink-found-title')?.textContent)
const marked = () => screen.getByRole('option', { selected: true }).querySelector('.ink-found-title')?.textContent
const sections = () =>
  screen.queryAllByRole('group').map(group => group.querySelector('.ink-found-section')?.textContent)

describe('the palette', () => {
  test('opens a page by pinyin and Enter', async () => {
    const { input, onClose } = await open()
    type(input, 'tksq')
    expect(options()[0]).toBe('Refund applications')
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(opened.at(-1)).toBe('/order/refundApply')
    expect(onClose).toHaveBeenCalled()
  })

  test('holds what was typed before it stood there, and nothing of it reaches the page', async () => {
    showOverlay('palette')
    const reached = vi.fn()
    document.body.addEventListener('keydown', reached)
    for (const key of ['t', 'k', 'x', 'Backspace', 's', 'q']) fireEvent.keyDown(document.body, { key })
    const { input } = await open()
    // The browser of the tests gives no focus by itself.
    fireEvent.focus(input)
    expect((input as HTMLInputElement).value).toBe('tksq')
    expect(options()[0]).toBe('Refund applications')
    expect(reached).not.toHaveBeenCalled()
    fireEvent.keyDown(document.body, { key: 'j' })
    expect(reached).toHaveBeenCalledOnce()
    hideOverlay()
  })

  test('arrows go round through what was found', async () => {
    const { input } = await open()
    type(input, 'order')
    const [first] = options()
    fireEvent.keyDown(input, { key: 'ArrowUp' })
    expect(screen.getAllByRole('option').at(-1)?.getAttribute('aria-selected')).toBe('true')
    fireEvent.keyDown(input, { key: 'ArrowDown' })
    expect(marked()).toBe(first)
  })

  test('offers only pages the person may open, and actions', async () => {
    await open({ grants: { order: [], 'order-list': ['list'] } })
    expect(options()).toContain('Orders')
    expect(options()).not.toContain('Dictionary')
    fireEvent.click(screen.getByText('Keyboard shortcuts'))
    expect(useOverlay.getState().open).toBe('help')
  })
})

describe('records', () => {
  test('are found by the server when somebody pauses: number, person, amount, state and where they stand', async () => {
    const { input, page } = await open({ superAdmin: true, calls: { [SEARCH]: () => answer(record('7')) } })
    type(input, '  林小满 ')
    await waitFor(() => expect(sections()).toContain('Records'))
    const [option] = screen.getAllByRole('option')
    expect(option?.textContent).toBe('202611150000000007PaidOrders林小满 138****8000 · ¥100.00')
    expect(page.sent(SEARCH).map(({ body }) => body)).toEqual([{ text: '林小满' }])
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(opened).toEqual(['/order/list?open=7'])
  })

  test('open over their list as its tab was left', async () => {
    const address = '/order/list?payState=PAID&current=3&open=5'
    useTabs.setState({ tabs: [{ route: '/order/list', address, used: 1, generation: 0, alive: true }] })
    const { input } = await open({ superAdmin: true, calls: { [SEARCH]: () => answer(record('7')) } })
    type(input, '林小满')
    await waitFor(() => expect(sections()).toContain('Records'))
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(opened).toEqual(['/order/list?payState=PAID&current=3&open=7'])
  })

  test('what is called exactly so stands first, then records, pages, actions and views', async () => {
    const { input } = await open({
      superAdmin: true,
      calls: { [SEARCH]: () => answer(record('1', { title: 'order', isExact: true }), record('2')) },
    })
    await screen.findByText('重点订单')
    type(input, 'd')
    expect(sections()).toEqual(['Pages', 'Actions', 'Views'])
    type(input, 'dd')
    await waitFor(() => expect(sections()).toContain('Exact match'))
    expect(sections()).toEqual(['Exact match', 'Records', 'Pages', 'Actions', 'Views'])
  })

  test('those of a former text are never shown under a new one', async () => {
    const answers = inTurn(
      () => answer(record('1', { title: 'first' })),
      () => answer(record('2', { title: 'second' })),
    )
    const { input } = await open({ superAdmin: true, calls: { [SEARCH]: answers } })
    type(input, '林小')
    await screen.findByText('first')
    type(input, '林小满')
    expect(screen.queryByText('first')).toBeNull()
    expect(screen.getByRole('status').textContent).toBe('Searching…')
    await screen.findByText('second')
    expect(screen.getByRole('status').textContent).not.toBe('Searching…')
  })

  test('that come late do not take the mark from what somebody is about to open', async () => {
    const { input } = await open({ superAdmin: true, calls: { [SEARCH]: () => answer(record('1')) } })
    type(input, 'tksq')
    expect(marked()).toBe('Refund applications')
    await screen.findByText(record('1').title)
    expect(options()[0]).toBe(record('1').title)
    expect(marked()).toBe('Refund applications')
  })

  test('a number whose Enter comes before its answer opens when it is found', async () => {
    const { input } = await open({
      superAdmin: true,
      calls: { [SEARCH]: () => answer(record('9', { isExact: true })) },
    })
    type(input, '202611150000000009')
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(opened).toEqual([])
    await waitFor(() => expect(opened).toEqual(['/order/list?open=9']))
  })

  test('are not asked for a single letter, nor while signs are put together', async () => {
    const { input, page } = await open()
    type(input, 'l')
    fireEvent.compositionStart(input)
    type(input, 'lin')
    await act(() => new Promise(done => setTimeout(done, 400)))
    expect(page.sent(SEARCH)).toEqual([])
    type(input, '林')
    fireEvent.compositionEnd(input)
    await waitFor(() => expect(page.sent(SEARCH).map(({ body }) => body)).toEqual([{ text: '林' }]))
  })

  test('what the server refuses is said in its words, and what found nothing says what to try', async () => {
    const { input } = await open({
      superAdmin: true,
      calls: {
        [SEARCH]: inTurn(
          () => refused(CODES.rule, 'Not possible: ask Chief'),
          () => answer(),
          () => ({ records: [], isComplete: false }),
        ),
      },
    })
    type(input, '13800138000')
    await screen.findByText('ask Chief', undefined, { timeout: 2_000 })
    type(input, '没有此人')
    await screen.findByText('Nothing found for "没有此人"')
    type(input, '没有此物')
    await screen.findByText('Too many records match. Type a little more.')
  })
})

describe('what can be done', () => {
  test.each([
    ['新建订单', 'New order'],
    ['xjdd', 'New order'],
    ['new mem', 'New member'],
    ['criar cupom', 'New coupon'],
  ])('is found by %s', async (typed, title) => {
    const { input } = await open()
    type(input, typed)
    expect(options()[0]).toBe(title)
  })

  test('opens the form, and is offered to whoever may add such a record', async () => {
    const { input } = await open({
      grants: { order: [], 'order-list': ['list', 'create'], 'order-refundApply': ['list'] },
    })
    expect(options().filter(title => title?.startsWith('New '))).toEqual(['New order'])
    type(input, 'new order')
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(opened).toEqual(['/order/list?create=1'])
  })

  test.each(['add order', 'create order', '新增订单', '添加订单', '新建订单', 'novo pedido', 'adicionar pedido'])(
    'is found by "%s" too',
    async typed => {
      const { input } = await open({ grants: { order: [], 'order-list': ['list', 'create'] } })
      type(input, typed)
      expect(options()[0]).toBe('New order')
    },
  )
})

describe('saved views', () => {
  test('are found by their names and initials, with the list they are of, and opened', async () => {
    const { input } = await open()
    await screen.findByText('重点订单')
    type(input, 'zddd')
    expect(options()).toEqual(['重点订单'])
    expect(screen.getByRole('option').textContent).toBe('重点订单Orders')
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(opened).toEqual(['/order/list?payState=PAID'])
  })
})

test.each([
  ['zh-CN', ['页面', '操作', '视图'], '新建订单'],
  ['zh-TW', ['頁面', '操作', '檢視'], '新建訂單'],
  ['en-US', ['Pages', 'Actions', 'Views'], 'New order'],
  ['pt-BR', ['Páginas', 'Ações', 'Visões'], 'Criar pedido'],
] as const)('the palette speaks %s', async (language, headings, creation) => {
  await open({ superAdmin: true, language })
  await screen.findByText('重点订单')
  expect(sections()).toEqual(headings)
  expect(options()).toContain(creation)
})

describe('the help sheet', () => {
  const everywhere = () => screen.getByText('Search records, pages and actions')
  afterEach(() => usePageKeys.setState({ told: null }))

  test('tells the keys of the page that is shown before those of every page', async () => {
    await loadTexts('kit/page/shell/palette')
    usePageKeys.setState({ told: { title: 'Works desk', keys: [{ keys: ['D'], text: 'Send back' }] } })
    await renderPage(<HelpSheet open onClose={() => {}} />)
    const own = within(screen.getByRole('region', { name: 'Works desk' }))
    expect(own.getByText('Send back').previousSibling?.textContent).toBe('D')
    expect(screen.getByRole('region', { name: 'On every page' }).contains(everywhere())).toBe(true)
  })

  test('tells those of every page alone where the page has none of its own', async () => {
    await loadTexts('kit/page/shell/palette')
    await renderPage(<HelpSheet open onClose={() => {}} />)
    expect(everywhere()).toBeTruthy()
    expect(screen.queryByText('On every page')).toBeNull()
  })
})
