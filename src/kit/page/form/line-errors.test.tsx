import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { describe, expect, test } from 'vitest'
import { resource as kits } from '#areas/logistics/goods-kit/model.ts'
import { Page as Kits } from '#areas/logistics/goods-kit/page.tsx'
import { resource as packages } from '#areas/products/course-package/model.ts'
import { Page as Packages } from '#areas/products/course-package/page.tsx'
import { resource as products } from '#areas/products/product/model.ts'
import { Page as Products } from '#areas/products/product/page.tsx'
import { resource as dictionaries } from '#areas/system/dictionary/model.ts'
import { Page as Dictionaries } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import { type Calls, paged, refused, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { loadTexts } from '../language.ts'

/** Each slice's lines: a record with two of them, and the parts its inputs ask for, by label. */
const EDITORS = [
  {
    Page: Dictionaries,
    name: dictionaries.screen.name,
    record: {
      name: 'Pens',
      note: '',
      items: [1, 2].map(n => ({ label: `L${n}`, value: `V${n}`, colour: null, enabled: true })),
    },
    field: 'items',
    parts: { label: 'Label', value: 'Value' },
  },
  {
    Page: Kits,
    name: kits.screen.name,
    record: {
      name: 'Set',
      weightG: 10,
      parts: [1, 2].map(n => ({ baseProductId: `${n}`, sku: `S${n}`, name: `N${n}`, quantity: n })),
    },
    field: 'parts',
    parts: { baseProductId: 'Base product', quantity: 'Quantity' },
  },
  {
    Page: Packages,
    name: packages.screen.name,
    record: {
      name: 'Course',
      stage: 'BASIC',
      days: 3,
      lessons: [1, 2].map(n => ({ title: `T${n}`, day: n, material: '', homework: '' })),
    },
    field: 'lessons',
    parts: { day: 'Day', title: 'Title', material: 'Material', homework: 'Homework' },
  },
  {
    Page: Products,
    name: products.screen.name,
    record: {
      name: 'Year',
      priceFen: 100,
      listFen: 100,
      commissionPermille: 0,
      sort: 1,
      mayWait: false,
      note: '',
      picture: [],
      grants: [1, 2].map(n => ({
        kind: 'COINS',
        quantity: n,
        validDays: null,
        sharePermille: 500,
        packageId: null,
        kitId: null,
        name: `G${n}`,
      })),
    },
    field: 'grants',
    parts: { name: 'Name', quantity: 'Quantity', validDays: 'Days valid', sharePermille: 'Value share' },
  },
] as const

const anyCalls = (own: Calls): Calls =>
  new Proxy({ ...commonCalls, ...own } as Calls, {
    get: (known: Calls, name: string) =>
      known[name] ?? (/^GET \/api\/(common\/reference\/|.*\/counts)/.test(name) ? () => [] : undefined),
  })

const wrongInputs = () =>
  [...document.querySelectorAll('.ant-drawer [aria-invalid=true]')].map(input => input.getAttribute('aria-label'))

async function refuse(Page: ComponentType, name: string, record: object, fields: Record<string, string>) {
  await loadTexts(name)
  const path = `/api/${name}`
  await renderPage(<Page />, {
    search: 'edit=7',
    superAdmin: true,
    calls: anyCalls({
      [`GET ${path}`]: () => paged([]),
      [`GET ${path}/7`]: () => ({ id: '7', version: 1, labels: {}, steps: {}, ...record }),
      // What is published in editions opens its form with its draft.
      [`GET ${path}/7/edited`]: () => ({ id: '7', version: 1, labels: {}, steps: {}, stale: null, ...record }),
      [`PUT ${path}/7`]: () => refused(CODES.validation, 'Invalid: check', { fields }, 422),
    }),
  })
  await waitFor(() => expect(document.querySelector('.ant-drawer form')).not.toBeNull())
  fireEvent.click(document.querySelector('.ant-drawer button[type=submit]') as HTMLElement)
}

describe.each(EDITORS.map(editor => [editor.name, editor] as const))('the lines of %s', (_, editor) => {
  test.each(Object.entries(editor.parts))('say what is wrong with %s at its cell', async (part, label) => {
    const { Page, name, record, field } = editor
    await refuse(Page, name, record, { [`${field}.1.${part}`]: 'Not like this' })
    const words = await screen.findByText('Not like this')
    const cell = words.closest('.inkstone-line-cell') as HTMLElement
    await waitFor(() => expect(wrongInputs()).toEqual([label]))
    expect(cell.querySelector('[aria-invalid=true]')?.getAttribute('aria-label')).toBe(label)
    expect(cell.closest('[role=group]')?.getAttribute('aria-label')).toBe('Line 2')
  })
})

test('a line that was corrected is no longer marked; what was wrong with others still stands there', async () => {
  const [{ Page, name, record }] = EDITORS
  await refuse(Page, name, record, { 'items.0.label': 'Too long', 'items.1.value': 'Taken' })
  await waitFor(() => expect(wrongInputs()).toEqual(['Label', 'Value']))
  type(document.querySelectorAll('.ant-drawer [aria-invalid=true]')[1] as Element, 'V3')
  await waitFor(() => expect(wrongInputs()).toEqual(['Label']))
  expect(screen.queryByText('Taken')).toBeNull()
})

test('what is wrong with a line goes along when the line is moved', async () => {
  const [{ Page, name, record }] = EDITORS
  await refuse(Page, name, record, { 'items.1.value': 'Taken' })
  const words = await screen.findByText('Taken')
  fireEvent.keyDown(words, { key: 'ArrowUp', altKey: true })
  await waitFor(() =>
    expect(screen.getByText('Taken').closest('[role=group]')?.getAttribute('aria-label')).toBe('Line 1'),
  )
})

test('what is wrong with a part that has no cell is said at its line', async () => {
  const [{ Page, name, record }] = EDITORS
  await refuse(Page, name, record, { 'items.1.labels.pt-BR': 'Too long' })
  const words = await screen.findByText('Too long')
  expect(words.closest('[role=group]')?.getAttribute('aria-label')).toBe('Line 2')
})
