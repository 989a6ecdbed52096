import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { colleague } from './colleagues.ts'
import {
  call,
  dialog,
  fillLogin,
  follow,
  list,
  openAs,
  openWindow,
  pick,
  question,
  row,
  signIn,
  tokenOf,
} from './console.ts'

type Belonging = { readonly what: string; readonly count: number; readonly moves: boolean }

const asAdmin = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  call<T>(method, path, body, await tokenOf('admin'))

/** The groups of the menu, with the screens of those that stand open. */
const menuOf = async (page: Page): Promise<string[][]> => {
  const groups = await page.getByRole('complementary').locator('.ant-menu-root > li').allInnerTexts()
  return groups.map(group => group.split('\n').filter(line => line.trim() !== ''))
}

/** An order that somebody of this sales group takes care of. */
async function orderOf(department: string): Promise<string> {
  const { id } = await colleague('销售顾问', department, 1)
  const [order] = await list<{ orderNo: string }>('admin', `/orders/order?ownerId=${id}`)
  if (!order) throw new Error('the demo business has no such order')
  return order.orderNo
}

async function makeRole(admin: Page): Promise<void> {
  await dialog(admin).getByLabel('Name', { exact: true }).fill(ROLE)
  await dialog(admin).getByLabel('Code', { exact: true }).fill('ORDER_READERS')
  await pick(dialog(admin), 'Data scope', 'Own department')
  await dialog(admin).getByLabel('Search pages, actions or codes').fill('order-list')
  const orders = admin.getByRole('checkbox', { name: 'Orders', exact: true })
  await dialog(admin).locator('.role-page').filter({ has: orders }).getByRole('checkbox', { name: 'View list' }).check()
  await dialog(admin)
    .getByText(/^2 to give: Orders · .* and Orders · /)
    .waitFor()
  await dialog(admin).getByRole('button', { name: 'Create role' }).click()
  await row(admin, 'ORDER_READERS').waitFor()
}

/** Gives somebody new an account with this role, and the password that is shown once. */
async function hire(admin: Page, department: string): Promise<string> {
  await follow(admin, '/system/iamUser/index?with.hire=1')
  const form = dialog(admin)
  await form.getByLabel('Name', { exact: true }).fill('新来的同事')
  await form.getByLabel('Account', { exact: true }).fill(ACCOUNT)
  await pick(form, 'Department', department)
  await pick(form, 'Primary position', '销售顾问')
  await pick(form, 'Roles', ROLE)
  // What is offered would lie over the button.
  await form.getByLabel('Roles').press('Tab')
  await form.getByRole('button', { name: 'Create account' }).click()
  await form.getByRole('button', { name: 'Create account' }).waitFor({ state: 'detached' })
  expect(await form.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
  return form.locator('.inkstone-code').last().innerText()
}

async function signInFirst(password: string): Promise<Page> {
  const page = await openWindow('/dashboard')
  await fillLogin(page, ACCOUNT, password)
  await page.getByText('Change your initial password before you start').waitFor()
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD)
  await page.getByLabel('Confirm new password').fill(OWN_PASSWORD)
  await page.getByRole('button', { name: 'Change password', exact: true }).click()
  await page.getByText(/^Good /).waitFor()
  return page
}

const ROLE = 'Order readers'
const ACCOUNT = 'order-reader'
const OWN_PASSWORD = 'Zwölf Pinsel & 3 Tuschen'

test('somebody new gets a new role of two permissions, chooses a password, and sees the orders of the department and nothing else; why not stands with the account', async () => {
  const [near, far] = [await orderOf('销售三组'), await orderOf('销售一组')]
  const admin = await openAs('admin', '/system/iamRole/list?create=1')
  await makeRole(admin)
  const page = await signInFirst(await hire(admin, '销售三组'))

  expect(await menuOf(page)).toEqual([['Workbench'], ['Orders']])
  await follow(page, `/order/list?query=${near}`)
  await row(page, near).waitFor()
  expect(await page.getByRole('button', { name: /^(Add|Export|More)$/ }).count()).toBe(0)
  await follow(page, `/order/list?query=${far}`)
  await page.getByText('Nothing matches these filters').waitFor()
  expect(await row(page, far).count()).toBe(0)
  await follow(page, '/members/list')
  await page.getByText('403').waitFor()

  const [{ id } = { id: '' }] = await list<{ id: string }>('admin', `/system/user?query=${ACCOUNT}`)
  await follow(admin, `/system/iamUser/index?open=${id}`)
  await dialog(admin).getByRole('tab', { name: 'Effective permissions' }).click()
  await pick(dialog(admin), 'Choose a page', 'Members')
  await dialog(admin).getByText(`None of the roles (${ROLE}) hold it.`).first().waitFor()
  await dialog(admin).getByText('Sees no records').waitFor()
})

test('what the scope of a role no longer reaches leaves the screen by itself, without a reload', async () => {
  const near = await orderOf('销售三组')
  const page = await openWindow(`/order/list?query=${near}`, { token: await signIn(ACCOUNT, OWN_PASSWORD) })
  await row(page, near).waitFor()
  await page.evaluate(() => Object.assign(window, { isSameWindow: true }))
  const [{ id } = { id: '' }] = await list<{ id: string }>('admin', '/system/role?query=ORDER_READERS')
  const admin = await openAs('admin', `/system/iamRole/list?edit=${id}`)
  await pick(dialog(admin), 'Data scope', 'Own records')
  await dialog(admin).getByRole('button', { name: 'Save role' }).click()
  await admin.getByText('Edited successfully').waitFor()
  await page.getByText('Nothing matches these filters').waitFor()
  expect(await row(page, near).count()).toBe(0)
  expect(await page.evaluate(() => 'isSameWindow' in window)).toBe(true)
})

test('before somebody leaves it is listed what goes into which hands; then it is there, and the leaver is signed out', async () => {
  const leaver = await colleague('销售顾问', '销售三组')
  const successor = await colleague('销售顾问', '销售三组', 1)
  const belongings = () => asAdmin<Belonging[]>('GET', `/organisation/staff/${leaver.id}/belongings`)
  const ownedBy = async (ownerId: string) =>
    (await asAdmin<{ total: number }>('GET', `/members/member?ownerId=${ownerId}`)).total
  const moving = async () => (await belongings()).filter(({ moves }) => moves)
  const told = await moving()
  const [his, hers] = [await ownedBy(leaver.id), await ownedBy(successor.id)]
  expect(his).toBeGreaterThan(0)
  const page = await openWindow('/dashboard', { token: await signIn(leaver.account) })
  await page.getByText(/^Good /).waitFor()

  const admin = await openAs('admin', `/orgStructure/orgUser?query=${leaver.name}`)
  await row(admin, leaver.name).first().getByRole('button', { name: 'More' }).click()
  await admin.getByRole('menuitem', { name: 'Record departure' }).click()
  const lines = async () => {
    const listed = await question(admin).getByRole('listitem').allInnerTexts()
    return listed.map(line => line.replaceAll(/(?<=\d),(?=\d)/g, ''))
  }
  await expect.poll(lines).toEqual(expect.arrayContaining(told.map(({ what, count }) => `${what} ${count}`)))
  await pick(question(admin), 'Hand over to', successor.account)
  await question(admin).getByRole('button', { name: 'Record departure' }).click()
  await admin.getByText('Departure recorded').waitFor()

  await page.waitForURL(/#\/user\/login/)
  await expect(signIn(leaver.account)).rejects.toThrow('This account is disabled')
  expect(await moving()).toEqual([])
  expect([await ownedBy(leaver.id), await ownedBy(successor.id)]).toEqual([0, his + hers])
  await follow(admin, `/orgStructure/orgUser?open=${leaver.id}`)
  await dialog(admin).getByRole('tab', { name: 'Handovers' }).click()
  await dialog(admin).getByRole('row').filter({ hasText: successor.name }).getByText('On departure').waitFor()
})
