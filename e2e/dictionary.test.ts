import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bytesOf, call, dialog, openAs, openWindow, place, row, signIn, tokenOf } from './console.ts'

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
  await dialog(page).getByRole('button', { name: 'Create dictionary type' }).click()
  await page.getByText('Added successfully').waitFor()

  await page.getByRole('searchbox', { name: 'Search' }).fill('INK_COLOUR')
  await page.keyboard.press('Enter')
  await row(page, 'INK_COLOUR').waitFor()
  expect(place(page)).toBe(`${PATH}?query=INK_COLOUR`)

  await row(page, 'INK_COLOUR').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog(page).getByLabel('Name').fill('Colours of ink')
  await dialog(page).getByRole('button', { name: 'Save dictionary type' }).click()
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

test('whoever saves second keeps what only one of both changed, and decides on what both did', async () => {
  const token = await tokenOf('admin')
  const body = { name: 'Paper sizes', code: 'PAPER_SIZE', note: 'first', items: [] }
  const { id } = await call<{ id: string }>('POST', '/system/dictionary', body, token)
  const path = `/system/dictionary/${id}`
  const page = await openAs('admin', `${PATH}?edit=${id}`)
  const save = () => dialog(page).getByRole('button', { name: 'Save dictionary type' })
  await dialog(page).getByLabel('Note').fill('mine')
  await call('PUT', path, { name: 'Sizes of paper', note: 'theirs', items: [], version: 1 }, token)
  await save().click()
  await page.getByText('Someone else has changed this record').waitFor()
  const choice = dialog(page).getByRole('group', { name: 'Note' })
  await choice.getByRole('radio', { name: /^Yours\s*mine/ }).waitFor()
  await choice.getByRole('radio', { name: /today \d\d:\d\d\s*theirs/ }).waitFor()
  expect(await save().isDisabled()).toBe(true)

  // A colleague is quicker once more, with another field: nobody is asked about that.
  await choice.getByRole('radio', { name: /^Yours/ }).check()
  const items = [{ label: 'A4', value: 'A4', colour: null, enabled: true }]
  await call('PUT', path, { name: 'Sizes of paper', note: 'theirs', items, version: 2 }, token)
  await save().click()
  await page.getByText(/^Edited successfully · Merged from your colleagues: Entries/).waitFor()
  expect(await call<object>('GET', path, undefined, token)).toMatchObject({
    name: 'Sizes of paper',
    note: 'mine',
    items,
    version: 4,
  })
})

test('what was typed is still there after a reload, and nothing of it after signing out', async () => {
  const page = await openWindow(PATH, { token: await signIn('admin') })
  await fill(page, 'Half done', 'HALF_DONE')
  page.on('dialog', question => void question.accept())
  await page.reload()
  await dialog(page)
    .getByText(/^Restored what you typed at \d\d:\d\d$/)
    .waitFor()
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Half done')
  expect(await dialog(page).getByLabel('Value', { exact: true }).inputValue()).toBe('RED')
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
  expect(await kept()).toContain('HALF_DONE')

  await dialog(page).getByRole('button', { name: 'Discard' }).click()
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('')
  expect(await kept()).not.toContain('HALF_DONE')

  await dialog(page).getByLabel('Name').fill('Once more')
  await page.getByRole('button', { name: /^Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByLabel('Account', { exact: true }).waitFor()
  expect(await kept()).not.toContain('Once more')
})

test('input that is not saved is asked for before it is thrown away', async () => {
  const page = await openAs('admin', PATH)
  await fill(page, 'Half done', 'HALF_DONE')
  await page.keyboard.press('Escape')
  await page.getByText('If you leave now, what you entered will be lost.').waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Half done')
})

test('a form sent twice in one moment, by two clicks or by Enter and a click, is one record', async () => {
  const page = await openAs('admin', PATH)
  const sent: string[] = []
  await page.route('**/api/system/dictionary', async route => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.push(route.request().postDataJSON().code)
    // A slow line: the second try comes while the first is under way.
    await page.waitForTimeout(1_500)
    return route.continue()
  })
  const submit = dialog(page).getByRole('button', { name: 'Create dictionary type' })
  const clickAt = async () => {
    const box = await submit.boundingBox()
    return () => page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2)
  }

  await fill(page, 'Clicked twice', 'CLICKED_TWICE')
  const click = await clickAt()
  await click()
  await page.waitForTimeout(20)
  await click()
  await row(page, 'CLICKED_TWICE').waitFor()

  await fill(page, 'Entered and clicked', 'ENTERED_CLICKED')
  const clickToo = await clickAt()
  await dialog(page).getByLabel('Name').press('Enter')
  await clickToo()
  await row(page, 'ENTERED_CLICKED').waitFor()

  expect(sent).toEqual(['CLICKED_TWICE', 'ENTERED_CLICKED'])
  for (const code of sent) expect(await row(page, code).count()).toBe(1)
})
