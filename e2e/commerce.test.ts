import { randomInt } from 'node:crypto'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { png } from '../tools/testing/pictures.ts'
import { bytesOf, dialog, follow, hindrances, list, openAs, pick, question, row, tellSigned } from './console.ts'

/** Approves what stands in this list, and leaves the page open. */
async function approve(account: string, path: string, text: string): Promise<void> {
  const page = await openAs(account, path)
  await row(page, text).first().getByRole('button', { name: 'Approve', exact: true }).click()
  // What is easily taken back is done without a question.
  if (path.startsWith('/order/examine?'))
    await question(page)
      .getByRole('button', { name: /^Approve/ })
      .click()
  await page.getByText('Submitted successfully').waitFor()
}

/** Gives the wizard a file and has it checked. */
async function give(wizard: Locator, name: string, content: string | Uint8Array): Promise<void> {
  const buffer = Buffer.from(content as string)
  await wizard.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  await wizard.getByRole('button', { name: 'Check all rows' }).click()
}

/** The side of the member's page that carries this name. */
async function memberSide(page: Page, memberId: string, side: string) {
  await follow(page, `/members/list?open=${memberId}`)
  await dialog(page).getByRole('tab', { name: side, exact: true }).click()
  return dialog(page)
}

test('an order paid offline is examined by another person, counts at once, and its parcel leaves by an imported number and is signed for', async () => {
  const [member] = await list<{ id: string }>('sales', '/members/member?level=TRIAL&status=ACTIVE')
  const products = await list<{ id: string; code: string }>('operations', '/products/product?status=ON_SALE&size=50')
  const product = products.find(({ code }) => code === 'MEMBER-90')
  if (!member || !product) throw new Error('the demo business has no such member or product')
  const sales = await openAs('sales', `/order/list?create=1&with.memberId=${member.id}`)
  const form = dialog(sales)
  await pick(form, 'Product', 'MEMBER-90')
  await form.getByLabel('Amount', { exact: true }).fill('377.77')
  await pick(form, 'Payment method')
  await form.getByLabel('Transaction no.').fill(`T-${Date.now()}`)
  await form.locator('input[type=file]').setInputFiles({ name: 'proof.png', mimeType: 'image/png', buffer: png() })
  await form.getByText('proof.png').waitFor()
  await form.getByLabel('Recipient', { exact: true }).fill('王女士')
  await form.getByLabel("Recipient's phone").fill('139 0000 1234')
  await pick(form, 'Province')
  await form.getByLabel('Address', { exact: true }).fill('杭州市西湖区文三路 1 号')
  await form.getByRole('button', { name: 'Create order' }).click()
  await sales.getByText('Added successfully').waitFor()

  await approve('finance', '/order/examine?status=WAITING', '377.77')
  const rights = await memberSide(sales, member.id, 'Entitlements')
  await rights.getByText('90 days left').waitFor()
  await rights.getByRole('row').filter({ hasText: '会员 90 天' }).first().waitFor()

  const [parcel] = await list<{ shipmentNo: string }>(
    'logistics',
    `/logistics/shipment-approval?memberId=${member.id}&size=10`,
  )
  if (!parcel) throw new Error('no parcel was made')
  await approve('warehouse-manager', '/order/examineSend?status=TO_APPROVE', parcel.shipmentNo)

  const desk = await openAs('logistics', `/order/sendGoods?query=${parcel.shipmentNo}`)
  const waiting = row(desk, parcel.shipmentNo)
  await waiting.waitFor()
  await desk.getByRole('button', { name: 'Import' }).click()
  const wizard = dialog(desk)
  const newNumber = () => `SF${randomInt(10 ** 11, 10 ** 12)}`
  const rows = [`${parcel.shipmentNo},SF,${newNumber()}`, `S2020010100001,SF,${newNumber()}`, 'S2020010100002,SF,?']
  await give(wizard, 'tracking.csv', ['Shipment no.,Carrier,Tracking no.', ...rows].join('\n'))
  await wizard.getByText('With errors 2').click()
  await wizard.getByText('This shipment does not exist').first().waitFor()
  expect(await hindrances(desk)).toEqual([])
  await wizard.getByRole('button', { name: 'Import 1 row' }).click()
  await wizard.getByText('1 row imported, 2 not imported').waitFor()
  const saved = desk.waitForEvent('download')
  await wizard.getByRole('button', { name: 'Download rows not imported' }).click()
  const { sheets } = await readXlsx(await bytesOf(await saved))
  const [head = [], ...left] = sheets[0]?.rows ?? []
  expect(left.map(cells => cells.join())).toEqual([
    expect.stringMatching(/This shipment does not exist.*S2020010100001/),
    expect.stringMatching(/Tracking no\..*S2020010100002/),
  ])
  await waiting.waitFor({ state: 'detached' })

  await wizard.getByRole('button', { name: 'Undo import' }).click()
  await question(desk).getByRole('button', { name: 'Undo import' }).click()
  await wizard.getByText('Undone', { exact: true }).waitFor()
  await waiting.waitFor()

  await wizard.getByRole('button', { name: 'Import another file' }).click()
  const number = newNumber()
  const mended = [head, [2, '', '', parcel.shipmentNo, 'SF', number]]
  await give(wizard, 'mended.xlsx', await writeXlsx({ sheets: [{ name: 'Sheet1', rows: mended }] }))
  await wizard.getByRole('button', { name: 'Import 1 row' }).click()
  await wizard.getByText('1 row imported, 0 not imported').waitFor()

  await tellSigned(number)
  await follow(desk, `/order/logistics?query=${parcel.shipmentNo}`)
  await row(desk, number).filter({ hasText: '已签收' }).getByRole('cell').nth(1).click()
  await dialog(desk).getByRole('tab', { name: 'Tracking events' }).click()
  await dialog(desk).getByText('快递员正在派送').waitFor()
  expect(await dialog(desk).getByText('Delivered', { exact: true }).count()).toBeGreaterThan(0)
  expect(await hindrances(desk)).toEqual([])
  const orders = await memberSide(sales, member.id, 'Orders')
  await orders.getByRole('row').filter({ hasText: '377.77' }).filter({ hasText: 'Done' }).waitFor()
})
