import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bytesOf, call, dialog, openAs, place, row, tokenOf } from './console.ts'

const PATH = '/system/dictionary/list'

async function fill(page: Page, name: string, code: string) {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('Code').fill(code)
  await dialog(page).getByRole('button', { name: 'Add entry' }).click()
  await dialog(page).getByLabel('Label', { exact: true }).fill('Red')
  await dialog(page).getByLabel('Value', { exact: true }).fill('RED')
}

test('a dictionary type is added with its entries, found, edited, exported and deleted', async () => {
  const page = await openAs('admin', PATH)
  await fill(page, 'Ink colours', 'INK_COLOUR')
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Added successfully').waitFor()

  await page.getByRole('searchbox', { name: 'Search' }).fill('INK_COLOUR')
  await page.keyboard.press('Enter')
  await row(page, 'INK_COLOUR').waitFor()
  expect(place(page)).toBe(`${PATH}?query=INK_COLOUR`)

  await row(page, 'INK_COLOUR').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog(page).getByLabel('Name').fill('Colours of ink')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Edited successfully').waitFor()
  await row(page, 'Colours of ink').waitFor()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^Dictionary-\d{8}-\d{6}\.xlsx$/)
  expect((await bytesOf(file)).subarray(0, 2).toString()).toBe('PK')

  await row(page, 'Colours of ink').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Delete this item? It cannot be recovered').waitFor()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Deleted successfully').waitFor()
  await page.getByText('Nothing matches these filters').waitFor()
})

test('whoever saves second sees both versions and decides', async () => {
  const token = await tokenOf('admin')
  const body = { name: 'Paper sizes', code: 'PAPER_SIZE', note: 'first', items: [] }
  const { id } = await call<{ id: string }>('POST', '/system/dictionary', body, token)
  const page = await openAs('admin', `${PATH}?edit=${id}`)
  await dialog(page).getByLabel('Note').fill('mine')
  await call('PUT', `/system/dictionary/${id}`, { name: 'Paper sizes', note: 'theirs', items: [], version: 1 }, token)
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Somebody changed this meanwhile').waitFor()
  await dialog(page).getByRole('cell', { name: 'mine' }).waitFor()
  await dialog(page).getByRole('cell', { name: 'theirs' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Go on with mine' }).click()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Edited successfully').waitFor()
  expect(await call<{ note: string }>('GET', `/system/dictionary/${id}`, undefined, token)).toMatchObject({
    note: 'mine',
  })
})

test('input that is not saved is asked for before it is thrown away', async () => {
  const page = await openAs('admin', PATH)
  await fill(page, 'Half done', 'HALF_DONE')
  await page.keyboard.press('Escape')
  await page.getByText('If you leave now, it is lost.').waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Half done')
})
