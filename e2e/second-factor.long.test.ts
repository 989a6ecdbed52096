import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeAt } from '../src/kit/server/access/totp.ts'
import { DEMO_PASSWORD } from '../src/kit/server/auth/demo-account.ts'
import { colleague } from './colleagues.ts'
import { dialog, fillLogin, follow, openAs, openWindow, question, row, signIn } from './console.ts'

const PATH = '/account/settings/factor'
const STEP_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What the telephone makes of the key it was shown; each code opens once, and the next half minute is understood already. */
function deviceOf(key: string): (after?: number) => string {
  const bits = [...key].map(sign => BASE32.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map(eight => Number.parseInt(eight, 2)))
  return (after = 0) => codeAt(secret, new Date(Date.now() + after))
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByLabel('Account', { exact: true }).waitFor()
}

async function enterRecovery(page: Page, account: string, code: string): Promise<void> {
  await fillLogin(page, account)
  await page.getByRole('button', { name: 'No phone at hand? Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a second step is set up, asked for at the next sign-in, replaced by a recovery code once the phone is lost, and reset by an administrator who says why', async () => {
  const { account } = await colleague('点评老师', '售后二组', 1)
  const page = await openWindow(PATH, { token: await signIn(account) })
  await page.getByRole('button', { name: 'Turn on' }).click()
  await dialog(page).getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await page.getByRole('button', { name: 'Copy key' }).click()
  const key = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(key).toMatch(/^[A-Z2-7]{32}$/)
  const device = deviceOf(await key())
  await page.getByLabel('Then enter the 6 digits the app shows').fill(device())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
  const codes = await page.locator('.center-codes').getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'Kept, finish' }).click()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()

  await signOut(page)
  await fillLogin(page, account)
  await page.getByLabel('6-digit code of your authenticator app').fill(device(STEP_MS))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/#\/account\/settings\/factor|#\/dashboard/)

  const [lost = ''] = codes
  await signOut(page)
  await enterRecovery(page, account, lost)
  await page.getByRole('button', { name: /^Account menu of/ }).waitFor()
  await follow(page, PATH)
  await page.getByText('Recovery codes left').waitFor()
  expect(await page.locator('.center-facts dd').last().innerText()).toBe('9')

  await signOut(page)
  await enterRecovery(page, account, lost)
  await page.getByText(/code is wrong/).waitFor()
  await page.getByLabel('Recovery code').fill(codes[1] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /^Account menu of/ }).waitFor()

  const admin = await openAs('admin', `/system/iamUser/index?query=${account}`)
  await row(admin, account).getByRole('button', { name: 'More' }).click()
  await admin.getByRole('menuitem', { name: 'Reset two-step verification' }).click()
  const reset = question(admin).getByRole('button', { name: 'Reset two-step verification' })
  await question(admin).getByLabel('Reason').fill('Phone lost, seen in person')
  await reset.click()
  await admin.getByText('Two-step verification reset').waitFor()
  await page.waitForURL(/#\/user\/login/)
  await fillLogin(page, account)
  await page.getByRole('button', { name: /^Account menu of/ }).waitFor()
})
