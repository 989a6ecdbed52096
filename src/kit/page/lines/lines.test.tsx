import { act, createEvent, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { button, press, renderPage, type } from '../../../../tools/testing/page.tsx'
import { loadTexts, switchLanguage } from '../language.ts'
import { whole, words } from './cells.tsx'
import type { Column } from './column.ts'
import { Lines } from './lines.tsx'
import { drawnAt, placeAt } from './use-carrying.ts'

type Tool = { name: string; pieces: number }
const COLUMNS: readonly Column<Tool>[] = [
  { name: 'name', title: 'Tool', ...words(20) },
  {
    name: 'pieces',
    title: 'Pieces',
    width: 96,
    ...whole({ min: 1, max: 99 }),
    sum: tools => tools.reduce((sum, { pieces }) => sum + pieces, 0),
  },
]
const blank = (): Tool => ({ name: '', pieces: 1 })

let held: readonly Tool[] = []
type Options = { least?: number; max?: number; isSorted?: boolean }

function Tools({ start, options: { least = 0, max = 5, isSorted = true } }: { start: Tool[]; options: Options }) {
  const [tools, setTools] = useState(start)
  held = tools
  return (
    <Lines
      value={tools}
      onChange={setTools}
      columns={COLUMNS}
      isSorted={isSorted}
      grows={{ blank, max, least, add: 'Add tool' }}
    />
  )
}

async function edit(names: readonly string[], options: Options = {}) {
  const start = names.map((name, at) => ({ name, pieces: at + 1 }))
  await loadTexts('kit/page/form')
  await renderPage(<Tools start={start} options={options} />)
}
const names = () => held.map(({ name }) => name)
const input = (at: number, label = 'Tool') => screen.getAllByLabelText(label)[at] as HTMLInputElement

/** Each line 40 px high, as the browser would lay them out. */
function layOut() {
  for (const row of document.querySelectorAll<HTMLElement>('.inkstone-lines-rows > *')) {
    row.getBoundingClientRect = () => ({ top: Number(row.style.order) * 40, height: 40 }) as DOMRect
    row.scrollIntoView = () => {}
  }
}

function carry(at: number, y: number): HTMLButtonElement {
  layOut()
  const handle = button(`Move line ${at + 1}`)
  handle.setPointerCapture = () => {}
  fireEvent.pointerDown(handle, { button: 0 })
  // jsdom knows no place of a pointer.
  fireEvent(handle, Object.assign(createEvent.pointerMove(handle), { clientY: y }))
  return handle
}

describe('the lines of a form', () => {
  test('stand under headings, with the sum of a column that follows typing', async () => {
    await edit(['Brush', 'Ink'])
    expect(document.querySelector('.inkstone-lines-head')?.textContent).toBe('ToolPieces')
    expect(document.querySelector('.inkstone-lines-sums')?.textContent).toBe('Total3')
    type(input(0, 'Pieces'), '40')
    expect(document.querySelector('.inkstone-lines-sums')?.textContent).toBe('Total42')
  })

  test('hold whole numbers as the language on screen writes them, and put back what is none', async () => {
    await edit(['Brush'])
    type(input(0, 'Pieces'), '4.5')
    fireEvent.blur(input(0, 'Pieces'))
    expect(held[0]?.pieces).toBe(1)
    await act(() => switchLanguage('pt-BR'))
    type(input(0, 'Pieces'), '1.002')
    fireEvent.blur(input(0, 'Pieces'))
    expect(held[0]?.pieces).toBe(99)
  })

  test('are added at the end, where typing goes on, and only as many as may be', async () => {
    await edit(['Brush'], { max: 2 })
    press('Add tool')
    expect(names()).toEqual(['Brush', ''])
    expect(document.activeElement).toBe(input(1))
    expect(button('Add tool').disabled).toBe(true)
  })

  test('begin with one where a record cannot do without', async () => {
    await edit([], { least: 1 })
    expect(button('Delete').disabled).toBe(true)
    type(input(0), 'Brush')
    expect(names()).toEqual(['Brush'])
  })

  test('keep what is typed in them when one above is taken away, and the focus near it', async () => {
    await edit(['Brush', 'Ink', 'Paper'])
    const ink = input(1)
    press('Delete')
    expect(names()).toEqual(['Ink', 'Paper'])
    // The same input, not another one with the same words: a key by place would have given it away.
    expect(input(0)).toBe(ink)
    expect(document.activeElement).toBe(button('Delete'))
  })
})

describe('lines are put in order', () => {
  test('with Alt and the arrows from wherever one types, and the focus goes along', async () => {
    await edit(['Brush', 'Ink', 'Paper'])
    const brush = input(0)
    brush.focus()
    fireEvent.keyDown(brush, { key: 'ArrowDown', altKey: true })
    expect(names()).toEqual(['Ink', 'Brush', 'Paper'])
    expect(document.activeElement).toBe(brush)
    expect(screen.getByRole('status').textContent).toBe('Now line 2 of 3')
    fireEvent.keyDown(brush, { key: 'ArrowDown', altKey: true })
    fireEvent.keyDown(brush, { key: 'ArrowDown', altKey: true })
    expect(names()).toEqual(['Ink', 'Paper', 'Brush'])
  })

  test('an arrow alone moves a line only from its handle: in a number it counts', async () => {
    await edit(['Brush', 'Ink'])
    fireEvent.keyDown(input(0, 'Pieces'), { key: 'ArrowDown' })
    expect(names()).toEqual(['Brush', 'Ink'])
    fireEvent.keyDown(button('Move line 2'), { key: 'ArrowUp' })
    expect(names()).toEqual(['Ink', 'Brush'])
  })

  test('by dragging: nothing is changed until it is let go', async () => {
    await edit(['Brush', 'Ink', 'Paper'])
    const handle = carry(0, 70)
    expect(names()).toEqual(['Brush', 'Ink', 'Paper'])
    expect([...document.querySelectorAll<HTMLElement>('.inkstone-lines-rows > *')].map(row => row.style.order)).toEqual(
      ['1', '0', '2'],
    )
    fireEvent.pointerUp(handle)
    expect(names()).toEqual(['Ink', 'Brush', 'Paper'])
  })

  test('and Esc puts a dragged line back', async () => {
    await edit(['Brush', 'Ink'])
    const handle = carry(0, 70)
    fireEvent.keyDown(document.body, { key: 'Escape' })
    fireEvent.pointerUp(handle)
    expect(names()).toEqual(['Brush', 'Ink'])
  })

  test.each([
    ['above all', -5, 0],
    ['below the middle of the first', 21, 1],
    ['below all', 500, 3],
  ])('what is carried %s comes to its place there', (_, y, place) => {
    expect(placeAt([20, 60, 100], y)).toBe(place)
  })

  test('the others make room on the side it came from', () => {
    const at = [0, 1, 2, 3]
    expect(at.map(line => drawnAt(line, { from: 0, to: 2 }))).toEqual([2, 0, 1, 3])
    expect(at.map(line => drawnAt(line, { from: 3, to: 1 }))).toEqual([0, 2, 3, 1])
  })

  test('not where their order means nothing', async () => {
    await edit(['Brush', 'Ink'], { isSorted: false })
    fireEvent.keyDown(input(0), { key: 'ArrowDown', altKey: true })
    expect(names()).toEqual(['Brush', 'Ink'])
  })
})

describe('rows copied from a spreadsheet', () => {
  const paste = (field: Element, text: string) => fireEvent.paste(field, { clipboardData: { getData: () => text } })

  test('fill the lines from where they are pasted, with new ones for the rest', async () => {
    await edit(['Brush', 'Ink'])
    paste(input(1), 'Inkstone\t3\r\nPaper\tmany\r\n')
    expect(held).toEqual([
      { name: 'Brush', pieces: 1 },
      { name: 'Inkstone', pieces: 3 },
      { name: 'Paper', pieces: 1 },
    ])
  })

  test('that do not fit are not dropped in silence', async () => {
    await edit(['Brush'], { max: 2 })
    paste(input(0), 'a\nb\nc\nd')
    expect(names()).toEqual(['a', 'b'])
    expect(screen.getByText('At most 2 lines fit; 2 were not pasted')).toBeTruthy()
  })

  test('are told from a plain text, which the input takes itself', async () => {
    await edit(['Brush'])
    paste(input(0), 'Ink\n')
    expect(names()).toEqual(['Brush'])
  })
})
