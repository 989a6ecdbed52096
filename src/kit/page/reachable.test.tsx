import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SmallTable } from './detail/small-table.tsx'
import { makeReachable } from './reachable.ts'

afterEach(cleanup)

const drawn = (inside: string) => {
  const around = document.createElement('div')
  around.innerHTML = `<div class="ant-table-body"><table><tr><td>${inside}</td></tr></table></div>`
  makeReachable(around)
  return around.querySelector('.ant-table-body')?.getAttribute('tabindex') ?? null
}

test('columns that stand out of sight are reached by the keyboard, through what is in them or by themselves', () => {
  expect(drawn('only words')).toBe('0')
  expect(drawn('<a href="#/x">a link</a>')).toBeNull()
  expect(drawn('<button>a button</button>')).toBeNull()
  // What is refused stands there all the same, and no key reaches it.
  expect(drawn('<button disabled>a button</button>')).toBe('0')
})

test('the rows on a side of a detail are reached too', () => {
  const { container } = render(<SmallTable rows={[{ id: '1' }]} columns={[{ dataIndex: 'id', title: 'Number' }]} />)
  expect(container.querySelector('.ant-table-content')?.getAttribute('tabindex')).toBe('0')
})
