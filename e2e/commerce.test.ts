import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { bytesOf, call, dialog, hindrances, openAs, row, tokenOf } from './console.ts'

type Listed<T> = { records: T[] }
const list = async <T>(account: string, path: string): Promise<T[]> =>
  (await call<Listed<T>>('GET', path, undefined, await tokenOf(account))).records

test('an order paid offline is examined by another person, counts at once, and its parcel leaves by an imported number', async () => {
  const [member] = await list<{ id: string; level: string }>('sales', '/members/member?level=TRIAL&size=10')
  const products = await list<{ id: string; code: string }>('operations', '/products/product?status=ON_SALE&size=50')
  const product = products.find(({ code }) => code === 'MEMBER-90')
  if (!member || !product) throw new Error('the demo business has no such member or product')
  const sales = await openAs('sales', `/order/list?create=1&with.memberId=${member.id}&with.productId=${product.id}`)
  const form = dialog(sales)
  const pick = async (label: string) => {
    await form.getByLabel(label, { exact: true }).click()
    await sales.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  }
  await form.getByLabel('Quantity', { exact: true }).fill('1')
  await form.getByLabel('Amount', { exact: true }).fill('377.77')
  await pick('Paid by')
  await form.getByLabel('Transaction no.').fill(`T-${Date.now()}`)
  await form.getByLabel('Receiver', { exact: true }).fill('王女士')
  await form.getByLabel("Receiver's phone").fill('139 0000 1234')
  await pick('Province')
  await form.getByLabel('Address', { exact: true }).fill('杭州市西湖区文三路 1 号')
  await form.getByRole('button', { name: 'Submit' }).click()
  await sales.getByText('Added successfully').waitFor()

  const approve = async (account: string, path: string, text: string) => {
    const page = await openAs(account, path)
    await row(page, text).first().getByRole('button', { name: 'Approve', exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Submitted successfully').waitFor()
    return page
  }
  await approve('finance', '/order/examine?status=WAITING', '377.77')
  const counted = await call<{ level: string }>(
    'GET',
    `/members/member/${member.id}`,
    undefined,
    await tokenOf('sales'),
  )
  expect(counted.level).toBe('MEMBER')

  const parcels = () =>
    list<{ id: string; shipmentNo: string; status: string }>(
      'logistics',
      `/logistics/shipment-approval?memberId=${member.id}&size=10`,
    )
  const [parcel] = await parcels()
  if (!parcel) throw new Error('no parcel was made')
  await approve('warehouse-manager', '/order/examineSend?status=TO_APPROVE', parcel.shipmentNo)

  const desk = await openAs('logistics', '/order/sendGoods')
  await desk.getByRole('button', { name: 'Import' }).click()
  const wizard = dialog(desk)
  const file = `Shipment no.,Carrier,Tracking no.\n${parcel.shipmentNo},SF,SF${randomInt(10 ** 11, 10 ** 12)}\nS2020010100001,SF,SF000000000001\n`
  await wizard
    .locator('input[type=file]')
    .setInputFiles({ name: 'tracking.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await wizard.getByRole('button', { name: 'Check all rows' }).click()
  await wizard.getByText('Bad 1').click()
  await wizard.getByText('There is no such shipment').first().waitFor()
  expect(await hindrances(desk)).toEqual([])
  await wizard.getByRole('button', { name: 'Import 1 rows' }).click()
  await wizard.getByText('1 rows imported, 1 not').waitFor()
  const download = desk.waitForEvent('download')
  await wizard.getByRole('button', { name: 'Download the rows left out' }).click()
  expect((await bytesOf(await download)).subarray(0, 2).toString()).toBe('PK')
  const stateOf = async () =>
    (await list<{ status: string }>('logistics', `/logistics/tracking?memberId=${member.id}`))[0]?.status
  expect(await stateOf()).toBe('SENT')

  await wizard.getByRole('button', { name: 'Undo the import' }).click()
  await dialog(desk).getByRole('button', { name: 'Undo the import' }).click()
  await expect.poll(stateOf).toBe(undefined)
})
