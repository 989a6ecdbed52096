import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { button, paged, press, renderPage } from '../../../../tools/testing/page.tsx'
import { dictionaryType } from '../../../../tools/testing/page-records.ts'
import { changeSettings, DEFAULTS } from '../settings.ts'

const LIST = 'GET /api/system/dictionary'

async function open() {
  const page = await renderPage(<Dictionary />, {
    grants: { dictionary: ['list'] },
    calls: { [LIST]: () => paged([dictionaryType('1')]) },
  })
  await screen.findByText('Type 1')
  return page
}
const heads = () => [...document.querySelectorAll('th')].map(cell => cell.textContent)
const head = (name: string) =>
  [...document.querySelectorAll('th')].find(cell => cell.textContent === name) as HTMLElement
const line = async (name: string) => {
  const box = await screen.findByLabelText(name, { selector: '.ant-popover input' })
  return { box, line: box.closest('div') as HTMLElement }
}
const edge = (name: string) => head(name).querySelector('hr') as HTMLElement
const widthOf = (name: string) => Number(edge(name).getAttribute('aria-valuenow'))
const isPinned = (name: string) => head(name).className.includes('fix-start')

beforeEach(async () => {
  changeSettings(DEFAULTS)
  await open()
  press('Columns')
  const reset = await waitFor(() => button('Default columns'))
  fireEvent.click(reset)
})

afterAll(() => changeSettings(DEFAULTS))

describe('columns', () => {
  test('can be hidden, and stay hidden when one comes back', async () => {
    fireEvent.click((await line('Note')).box)
    expect(heads()).toEqual(['Name', 'Code', 'Built in', 'Created'])
    expect(localStorage.getItem('inkstone-columns')).toContain('"hidden":["note"]')
    await open()
    expect(heads()).toEqual(['Name', 'Code', 'Built in', 'Created'])
  })

  test('can be put in another order', async () => {
    press('Move up', (await line('Note')).line)
    press('Move down', (await line('Name')).line)
    await open()
    expect(heads()).toEqual(['Note', 'Name', 'Code', 'Built in', 'Created'])
  })

  test('can be pinned: they stand first, at the left', async () => {
    press('Pin to the left', (await line('Built in')).line)
    await open()
    expect(heads()).toEqual(['Built in', 'Name', 'Code', 'Note', 'Created'])
    expect([isPinned('Built in'), isPinned('Name')]).toEqual([true, false])
  })

  test('can be made wider and narrower by mouse and by arrow keys, never too narrow to grasp', async () => {
    const before = widthOf('Code')
    const handle = edge('Code')
    handle.setPointerCapture = () => {}
    fireEvent.pointerDown(handle, { clientX: 100, pointerId: 1 })
    fireEvent.pointerMove(handle, { clientX: 150 })
    fireEvent.pointerUp(handle, { clientX: 150 })
    fireEvent.pointerMove(handle, { clientX: 400 })
    expect(widthOf('Code')).toBe(before + 50)
    fireEvent.keyDown(edge('Code'), { key: 'ArrowRight' })
    expect(widthOf('Code')).toBe(before + 66)
    for (let i = 0; i < 30; i += 1) fireEvent.keyDown(edge('Note'), { key: 'ArrowLeft' })
    expect(widthOf('Note')).toBe(60)
    await open()
    expect([widthOf('Code'), widthOf('Note')]).toEqual([before + 66, 60])
  })

  test('return to how they were', async () => {
    fireEvent.click((await line('Note')).box)
    press('Pin to the left', (await line('Created')).line)
    press('Default columns')
    expect(heads()).toEqual(['Name', 'Code', 'Note', 'Built in', 'Created'])
  })
})

test('rows are as dense as the person likes, here and the next time', async () => {
  const isSmall = () => document.querySelector('.ant-table')?.className.includes('ant-table-small')
  press('Density')
  fireEvent.click(await screen.findByText('Compact'))
  expect(isSmall()).toBe(true)
  await open()
  expect(isSmall()).toBe(true)
  expect(localStorage.getItem('inkstone-settings')).toContain('"density":"small"')
})
