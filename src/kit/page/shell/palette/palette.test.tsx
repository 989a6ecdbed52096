import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { renderPage, type } from '../../../../../tools/testing/page.tsx'
import { setNavigate } from '../navigation.ts'
import { useOverlay } from '../overlay.ts'
import { Palette } from './palette.tsx'
import { type Entry, findEntries } from './search.ts'

const entry = (key: string, ...words: string[]): Entry => ({ key, title: key, group: '', words, open: () => {} })
const ENTRIES = [
  entry('refund', '退款申请', 'Refund applications', 'Pedidos de reembolso', 'tuikuanshenqing', 'tksq'),
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

describe('the palette', () => {
  const opened: string[] = []
  beforeEach(() => {
    opened.length = 0
    setNavigate(to => void opened.push(to))
  })
  const open = async (onClose = vi.fn()) => {
    await renderPage(<Palette open onClose={onClose} />, { superAdmin: true })
    return { input: await screen.findByRole('combobox'), onClose }
  }
  const options = () => screen.getAllByRole('option').map(option => option.querySelector('span')?.textContent)

  test('opens a page by pinyin and Enter', async () => {
    const { input, onClose } = await open()
    type(input, 'tksq')
    expect(options()).toEqual(['Refund applications'])
    fireEvent.keyDown(input, { key: 'Enter' })
    expect(opened).toEqual(['/order/refundApply'])
    expect(onClose).toHaveBeenCalled()
  })

  test('arrows go round through what was found', async () => {
    const { input } = await open()
    type(input, 'order')
    const [first] = options()
    fireEvent.keyDown(input, { key: 'ArrowUp' })
    expect(screen.getAllByRole('option').at(-1)?.getAttribute('aria-selected')).toBe('true')
    fireEvent.keyDown(input, { key: 'ArrowDown' })
    expect(screen.getByRole('option', { selected: true }).textContent).toContain(first)
  })

  test('offers only pages the person may open, and actions', async () => {
    await renderPage(<Palette open onClose={() => {}} />, { grants: { order: [], 'order-list': ['list'] } })
    await screen.findByRole('combobox')
    expect(options()).toContain('Orders')
    expect(options()).not.toContain('Dictionary')
    fireEvent.click(screen.getByText('Keyboard shortcuts'))
    expect(useOverlay.getState().open).toBe('help')
  })
})
