import { expect, test } from 'vitest'
import { dialog, follow, isLoaded, openAs, place, question, row, tab } from './console.ts'

test('a tab keeps its filters, its scroll and what is half typed while another is shown, and loses them when closed', async () => {
  const page = await openAs('admin', '/order/list?payState=PAID&size=50')
  await row(page, 'Paid').first().waitFor()
  await page.mouse.move(700, 500)
  await page.mouse.wheel(0, 600)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(400)
  const scrolled = await page.evaluate(() => scrollY)

  await follow(page, '/system/dictionary/list?create=1')
  await dialog(page).getByLabel('Name').fill('Half typed')

  // The form lies over the bar: another page is reached by the palette.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill('orders')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').last().waitFor({ state: 'hidden' })
  expect(place(page)).toBe('/order/list?payState=PAID&size=50')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled)

  await tab(page, 'Dictionary').click()
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Half typed')

  await follow(page, '/order/list?payState=PAID&size=50')
  await page.getByRole('button', { name: 'Close Dictionary' }).click()
  await page.getByText('What you entered on these pages will be lost: Dictionary').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await tab(page, 'Dictionary').waitFor({ state: 'detached' })
  expect(place(page)).toBe('/order/list?payState=PAID&size=50')

  await follow(page, '/system/dictionary/list?create=1')
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('')
})

test('words in a search box and in a step’s question wait while another tab is shown, and come back with theirs', async () => {
  const page = await openAs('admin', '/order/refundApply?status=SUBMITTED')
  await isLoaded(page)
  await page.getByLabel('Search', { exact: true }).fill('half a nam')
  await page.getByRole('row').getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('menuitem', { name: 'Reject' }).click()
  await question(page).getByLabel('Reason').fill('half a reas')

  await follow(page, '/members/list')
  await isLoaded(page)
  expect(await question(page).count()).toBe(0)
  // Nothing of the waiting question holds up the page that is shown.
  await page.getByLabel('Search', { exact: true }).filter({ visible: true }).fill('Li')

  await tab(page, 'Refund applications').click()
  expect(await question(page).getByLabel('Reason').inputValue()).toBe('half a reas')
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await question(page).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Search', { exact: true }).filter({ visible: true }).inputValue()).toBe('half a nam')
})

test('the right-click menu closes what it says and tells why it closes nothing', async () => {
  const page = await openAs('admin', '/dashboard')
  await isLoaded(page)
  const open = async (path: string, title: string) => {
    await follow(page, path)
    await tab(page, title).waitFor()
  }
  const choose = async (title: string, choice: string) => {
    await tab(page, title).click({ button: 'right' })
    await page.getByRole('menuitem', { name: choice }).click()
  }
  await choose('Workbench', 'Close current')
  await page.getByText('The last tab cannot be closed').waitFor()
  await choose('Workbench', 'Close left')
  await page.getByText('There are no tabs on the left').waitFor()
  await choose('Workbench', 'Close right')
  await page.getByText('There are no tabs on the right').waitFor()

  await open('/order/list', 'Orders')
  await open('/order/refundApply', 'Refund applications')
  await open('/system/dictionary/list', 'Dictionary')
  await choose('Refund applications', 'Close right')
  await tab(page, 'Dictionary').waitFor({ state: 'detached' })
  expect(place(page)).toBe('/order/refundApply')
  await choose('Refund applications', 'Close left')
  await tab(page, 'Workbench').waitFor({ state: 'detached' })
  expect(await tab(page, 'Orders').count()).toBe(0)
  await open('/order/list', 'Orders')
  await choose('Refund applications', 'Close current')
  await tab(page, 'Refund applications').waitFor({ state: 'detached' })
  await choose('Orders', 'Close all')
  await tab(page, 'Workbench').waitFor()
  expect(await tab(page, 'Orders').count()).toBe(0)
  expect(place(page)).toBe('/dashboard')
})

test('tabs stand again after a reload, each where it was', async () => {
  const page = await openAs('admin', '/order/list?payState=CLOSED')
  await tab(page, 'Orders').waitFor()
  await follow(page, '/order/refundApply')
  await tab(page, 'Refund applications').waitFor()
  await page.reload()
  await tab(page, 'Orders').click()
  await row(page, 'Closed').first().waitFor()
  expect(place(page)).toBe('/order/list?payState=CLOSED')
  await page.goBack()
  await expect.poll(() => place(page)).toBe('/order/refundApply')
})

test('a record opened as a page has a tab and an address that back, forward and a reload keep, and neighbours in the list it came from', async () => {
  const page = await openAs('admin', '/order/refundApply?status=PAID')
  await isLoaded(page)
  const [first, second] = await row(page, 'Refunded').locator('.inkstone-code').allInnerTexts()
  await row(page, first as string)
    .getByText('Refunded')
    .click()
  await dialog(page).getByRole('link', { name: 'Open as a page' }).click()
  await tab(page, first as string).waitFor()
  expect(place(page)).toMatch(/^\/order\/refundApply\/\d+\?status=PAID&of=list$/)
  const address = place(page)

  await page.locator('.inkstone-record').getByRole('button', { name: 'Next' }).click()
  await tab(page, second as string).waitFor()
  await tab(page, first as string).waitFor({ state: 'detached' })
  await page.goBack()
  await tab(page, first as string).waitFor()
  expect(place(page)).toBe(address)
  await page.goForward()
  await page.reload()
  await page
    .locator('.inkstone-record')
    .getByText(second as string)
    .first()
    .waitFor()
})
