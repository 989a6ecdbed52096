import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { fillLogin, follow, openAs, openWindow, place, row, signIn } from './console.ts'

const WRONG = 'not-the-password'

/** An account of the test's own, with the password that was made for it. */
async function newAdministrator(): Promise<{ username: string; generated: string }> {
  const username = `new-${randomUUID().slice(0, 8)}`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['src/server.ts', 'admin:create', '--username', username],
    { env: { ...process.env, DATA_DIR: inject('dataDir') } },
  )
  return { username, generated: /password (\S+)/.exec(stdout)?.[1] ?? '' }
}

test('whoever gives account, password and the signs of the picture lands on the workbench', async () => {
  const page = await openWindow('/')
  await fillLogin(page, 'finance')
  await page.getByText(/^Good /).waitFor()
  expect(place(page)).toBe('/dashboard')
  expect(await page.title()).toBe('Workbench - Inkstone')
  await follow(page, '/user/login')
  await page.waitForURL(/#\/dashboard$/)
})

test('wrong signs and a wrong password are said in place, each with a new picture', async () => {
  const page = await openWindow('/user/login')
  const picture = page.getByRole('button', { name: 'Hard to read? Get a new one' }).locator('img')
  const before = await picture.getAttribute('src')
  await fillLogin(page, 'finance', undefined, 'NOPE')
  await page.getByRole('alert').filter({ hasText: 'The verification code is wrong or has expired' }).waitFor()
  const field = page.getByLabel('Verification code')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await field.inputValue()).toBe('')
  await expect.poll(() => picture.getAttribute('src')).not.toBe(before)

  const second = await picture.getAttribute('src')
  await fillLogin(page, 'finance', WRONG)
  await page.getByRole('alert').filter({ hasText: 'The account or password is wrong' }).waitFor()
  await expect.poll(() => picture.getAttribute('src')).not.toBe(second)

  const third = await picture.getAttribute('src')
  await picture.click()
  await expect.poll(() => picture.getAttribute('src')).not.toBe(third)
  await fillLogin(page, 'finance')
  await page.waitForURL(/#\/dashboard$/)
})

test('after five wrong passwords an account is shut for a quarter of an hour, also for the right one', async () => {
  const { username, generated } = await newAdministrator()
  for (const _ of [1, 2, 3, 4]) {
    await expect(signIn(username, WRONG)).rejects.toThrow('The account or password is wrong')
  }
  const page = await openWindow('/user/login')
  await fillLogin(page, username, WRONG)
  await page.getByRole('alert').filter({ hasText: 'The account or password is wrong' }).waitFor()
  await fillLogin(page, username, generated)
  await page.getByRole('alert').filter({ hasText: 'Too many failed attempts. Try again in 15 min.' }).waitFor()
  expect(place(page)).toBe('/user/login')
})

test('an expired session is said once, and signing in again leads back to the filtered list', async () => {
  const token = await signIn('finance')
  const page = await openWindow('/order/list?payState=PAID', { token })
  await row(page, 'Paid').first().waitFor()
  // Rows, counts and the live connection are refused together.
  await page.evaluate(async authtoken => {
    await fetch('/api/logout', { method: 'POST', headers: { authtoken } })
    document.querySelector<HTMLElement>('button[aria-label="Refresh"]')?.click()
  }, token)
  await page.waitForURL(/#\/user\/login/)
  expect(place(page)).toBe('/user/login?redirect=%2Forder%2Flist%3FpayState%3DPAID')
  await page.getByText('login expired, please log in again').waitFor()
  expect(await page.locator('.ant-notification-notice').count()).toBe(1)

  await fillLogin(page, 'finance')
  await row(page, 'Paid').first().waitFor()
  expect(place(page)).toBe('/order/list?payState=PAID')
  expect(await page.getByRole('tab', { name: /^Paid/ }).getAttribute('aria-selected')).toBe('true')
})

test('a token the server does not know is told, and the page begins again at the login with its address kept', async () => {
  const page = await openWindow('/order/refundApply?status=SUBMITTED', { token: 'x'.repeat(43) })
  await page.waitForURL(/#\/user\/login/)
  expect(place(page)).toBe('/user/login?redirect=%2Forder%2FrefundApply%3Fstatus%3DSUBMITTED')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('a new administrator changes the generated password first and can do nothing before', async () => {
  const { username, generated } = await newAdministrator()
  const page = await openWindow('/order/list')
  await fillLogin(page, username, generated)
  await page.getByText('Change your initial password before you start').waitFor()
  await follow(page, '/system/dictionary/list')
  await page.waitForURL(/#\/account\/settings\/changePwd$/)
  await page.getByLabel('Current password').fill(generated)
  await page.getByLabel('New password', { exact: true }).fill('Zwölf Pinsel & 3 Tuschen')
  await page.getByLabel('Confirm new password').fill('Zwölf Pinsel & 3 Tuschen')
  await page.getByRole('button', { name: 'Change password', exact: true }).click()
  await page.waitForURL(/#\/dashboard$/)
  await page.getByRole('navigation', { name: 'Main menu' }).getByText('System').waitFor()
})

test('signing out asks first and ends at the login page', async () => {
  const page = await openWindow('/dashboard', { token: await signIn('finance') })
  await page.getByRole('button', { name: /^Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByText('Are you sure you would like to logout?').waitFor()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(place(page)).toBe('/user/login')
  const other = await openAs('finance', '/order/list')
  await row(other, 'Paid').first().waitFor()
})
