import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../src/kit/server/auth/demo-account.ts'
import { colleague } from './colleagues.ts'
import { openWindow, place, signIn } from './console.ts'

test('a person sees where they are signed in and ends a session elsewhere', async () => {
  // Somebody whom no other journey signs in, but who may have been at work before.
  const { account } = await colleague('点评老师', '售后二组', 2)
  const here = await openWindow('/account/settings/sessions', { token: await signIn(account) })
  const ending = here.getByRole('button', { name: 'Sign out' })
  await here.getByText('This device').waitFor()
  const before = await ending.count()
  const there = await openWindow('/dashboard', { token: await signIn(account) })
  await there.getByText(/^Good /).waitFor()
  await here.reload()
  await expect.poll(() => ending.count()).toBe(before + 1)
  expect(await here.getByText('This device').count()).toBe(1)
  // Told for some seconds only: looked for from before it happens.
  const told = there.getByText('login expired, please log in again').waitFor()
  await ending.first().click()
  await here.getByText('That device will have to sign in again.').waitFor()
  await here.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await here.getByText('Device signed out').waitFor()
  await expect.poll(() => ending.count()).toBe(before)
  await Promise.all([told, there.waitForURL(/#\/user\/login/)])
})

test('a changed password ends the session of every other window, and only the new one opens', async () => {
  const password = 'Reispapier 17 & Siegel'
  const here = await openWindow('/account/settings/changePwd', { token: await signIn('aftersales-manager') })
  const there = await openWindow('/dashboard', { token: await signIn('aftersales-manager') })
  await there.getByText(/^Good /).waitFor()
  await here.getByLabel('Current password').fill('wrong')
  await here.getByLabel('New password', { exact: true }).fill(password)
  await here.getByLabel('Confirm new password').fill(password)
  await here.getByRole('button', { name: 'Change password', exact: true }).click()
  await here.getByText('The current password is wrong').first().waitFor()
  await here.getByLabel('Current password').fill(DEMO_PASSWORD)
  // By its state and not its name: a window behind another keeps the spinner's name while it fades.
  await here.locator('button[type=submit]:not(.ant-btn-loading)').click()
  await here.getByText('Password changed. You are signed out on all other devices.').waitFor()
  await there.waitForURL(/#\/user\/login/)
  expect(place(here)).toBe('/account/settings/changePwd')
  await expect(signIn('aftersales-manager')).rejects.toThrow('The account or password is wrong')
  expect(await signIn('aftersales-manager', password)).not.toBe('')
})
