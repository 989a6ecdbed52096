import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readSheet } from '../tools/testing/sheet.ts'
import { bytesOf, dialog, hindrances, list, openAs, pick, question, row } from './console.ts'

/** Looks a code up at the desk, as it stands on paper. */
async function lookUp(page: Page, code: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Enter or scan a code' }).fill(code)
  await page.getByRole('button', { name: 'Look up' }).click()
}

async function redeemFor(page: Page, memberName: string): Promise<void> {
  await page.getByRole('button', { name: 'Redeem for a member' }).click()
  await pick(dialog(page), 'Member', memberName)
  await dialog(page).getByRole('button', { name: 'Redeem for a member' }).click()
}

test('codes are approved by another, leave once with one person, and each is redeemed once, however many try', async () => {
  const name = `School ${Date.now()}`
  const operations = await openAs('operations', '/product/exchange?create=1')
  const form = dialog(operations)
  await form.getByLabel('Name', { exact: true }).first().fill(name)
  await form.getByLabel('Buyer').fill('First primary school')
  await pick(form, 'Add entitlement', 'Membership days')
  await form.getByRole('spinbutton', { name: 'Quantity' }).fill('30')
  await form.getByRole('textbox', { name: 'Quantity' }).fill('3')
  await form.getByLabel('Per member').fill('2')
  await form.getByLabel('Unit price').fill('9.90')
  for (const [label, day] of [
    ['Valid from', '2026-01-01'],
    ['Valid until', '2099-12-31'],
  ] as const) {
    await form.getByLabel(label).fill(day)
    await form.getByLabel(label).press('Enter')
  }
  await form.getByRole('button', { name: 'Create batch' }).click()
  await operations.getByText('Added successfully').waitFor()
  expect(await row(operations, name).getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

  const manager = await openAs('operations-manager', '/product/exchange?status=DRAFT')
  await row(manager, name).getByRole('button', { name: 'Approve', exact: true }).click()
  await question(manager).getByRole('button', { name: 'Approve', exact: true }).click()
  await manager.getByText('Submitted successfully').waitFor()

  await manager.getByRole('tab', { name: /^Approved/ }).click()
  await row(manager, name).getByText(name).click()
  await dialog(manager).getByRole('tab', { name: 'Codes' }).click()
  await dialog(manager).getByRole('button', { name: 'Export codes' }).click()
  const saved = manager.waitForEvent('download')
  await question(manager).getByRole('button', { name: 'Export codes' }).click()
  const file = await bytesOf(await saved)
  const { rows } = await readSheet(file)
  const code = String(rows[0]?.[1])
  expect(rows).toHaveLength(3)
  await dialog(manager).getByRole('button', { name: 'Confirm receipt' }).click()
  const upload = { name: 'codes.xlsx', mimeType: 'application/octet-stream', buffer: file }
  await question(manager).locator('input[type=file]').setInputFiles(upload)
  await expect.poll(() => question(manager).getByLabel('File checksum').inputValue()).toMatch(/^[0-9a-f]{64}$/)
  await question(manager).getByRole('button', { name: 'Confirm receipt' }).click()
  await expect.poll(() => manager.getByRole('button', { name: 'Export codes' }).isDisabled()).toBe(true)
  expect(await hindrances(manager)).toEqual([])
  await dialog(manager).getByRole('button', { name: 'Activate' }).click()
  await dialog(manager).getByText('Active', { exact: true }).first().waitFor()

  const [member] = await list<{ name: string }>('sales', '/members/member?status=ACTIVE')
  if (!member) throw new Error('the demo business has no such member')
  const desks = [await openAs('sales', '/order/exchange'), await openAs('sales-manager-copy', '/order/exchange')]
  for (const desk of desks) await lookUp(desk, code)
  const [first, second] = desks as [Page, Page]
  await redeemFor(first, member.name)
  await row(first, name).filter({ hasText: 'Redeemed' }).waitFor()
  await redeemFor(second, member.name)
  await second.getByText('This code has already been redeemed').waitFor()
  await dialog(second).getByRole('button', { name: 'Cancel' }).click()
  await question(second).getByRole('button', { name: 'Discard' }).click()
  await lookUp(second, code)
  const again = second.getByRole('button', { name: 'Redeem for a member' })
  await expect.poll(() => again.isDisabled()).toBe(true)
})
