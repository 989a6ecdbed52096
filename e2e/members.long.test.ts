import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { dayOf } from '../src/kit/model/time.ts'
import { call, dialog, follow, hindrances, list, openAs, pick, question, row, send, tokenOf } from './console.ts'

type Waiting = { readonly id: string; readonly version: number }
const phone = () => `1998${randomInt(1_000_000, 10_000_000)}`

/** What waits for somebody on each of these pages, with whom, and what is said once it is done. */
const DEEDS = [
  ['operations', '/members/share', 'members/share', 'approve', 'Approve', 'Share approved'],
  ['teacher', '/members/activity', 'members/check-in', 'approve', 'Approve make-up', 'Make-up approved'],
  ['operations', '/members/task', 'members/task', 'approve', 'Approve proof', 'Proof approved'],
  ['sales', '/members/mobile', 'members/registration', 'remind', 'Remind by SMS', 'Reminder handed over for sending'],
  ['aftersales-manager', '/members/opusFail', 'members/upload-failure', 'retry', 'Request retry', 'Retry requested'],
  ['operations', '/members/channel-order', 'live/channel-order', 'handle', 'Mark as handled', 'Marked as handled'],
  ['operations', '/members/xhs-order', 'live/xhs-order', 'handle', 'Mark as handled', 'Marked as handled'],
] as const

test.each(DEEDS)('%s opens what waits on %s, and does it', async (account, route, name, todo, label, done) => {
  const waiting = () => list<Waiting>(account, `/${name}?todo=${todo}&size=100`)
  const [first] = await waiting()
  if (!first) throw new Error('nothing waits in the demo business')
  const page = await openAs(account, `${route}?todo=${todo}&open=${first.id}`)
  const button = dialog(page).getByRole('button', { name: label, exact: true })
  await button.waitFor()
  expect(await hindrances(page)).toEqual([])
  await button.click()
  if (todo === 'handle') await question(page).getByLabel('Reason').fill('looked at, and spoken about')
  await question(page)
    .getByRole('button', { name: new RegExp(`^${label}`) })
    .click()
  await page.getByText(done).first().waitFor()
  // Where the outside answers at once it may wait again: that it was done stays.
  const token = await tokenOf(account)
  const version = async () => (await call<Waiting>('GET', `/${name}/${first.id}`, undefined, token)).version
  await expect.poll(version).toBeGreaterThan(first.version)
})

test('a list of numbers is looked through before it comes in, says what is left out and why, and is taken back whole', async () => {
  const page = await openAs('sales', '/members/salePhone')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const wizard = dialog(page)
  const line = (number: string) => `${number},,公益课学校,SCHOOL,学校报名,`
  const fresh = phone()
  const rows = ['手机号,称呼,来源,渠道,联系依据,归属人账号', line(fresh), line(fresh), line('12345')]
  const title = `numbers-${fresh.slice(-4)}.csv`
  const file = { name: title, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }
  await wizard.locator('input[type=file]').setInputFiles(file)
  await pick(wizard, 'Numbers from', 'School')
  await pick(wizard, 'Marketing consent', 'Not agreed')
  await wizard.getByRole('button', { name: 'Check all rows' }).click()
  await wizard.getByText('With errors 2').click()
  await wizard.getByText('The same as row 2').first().waitFor()
  expect(await hindrances(page)).toEqual([])
  await wizard.getByRole('button', { name: 'Import 1 row' }).click()
  await wizard.getByText('1 row imported, 2 not imported').waitFor()
  const batch = async () =>
    (await list<{ title: string; status: string; newRows: number }>('sales', '/members/number-import')).find(
      one => one.title === title,
    )
  expect(await batch()).toMatchObject({ status: 'KEPT', newRows: 1 })
  await wizard.getByRole('button', { name: 'Undo import' }).click()
  await question(page).getByRole('button', { name: 'Undo import' }).click()
  await wizard.getByText('Undone', { exact: true }).waitFor()
  expect(await batch()).toMatchObject({ status: 'UNDONE', newRows: 0 })
})

test('a task is given to members chosen by what they have in common, who are counted before, and each has it', async () => {
  const page = await openAs('operations', '/members/task?create=1')
  const form = dialog(page)
  const title = `One page a day ${randomInt(10 ** 6)}`
  await form.getByLabel('Task', { exact: true }).fill(title)
  await form.getByLabel('Due', { exact: true }).fill(dayOf(new Date(Date.now() + 7 * 86_400_000)))
  await page.keyboard.press('Enter')
  await form.getByLabel('Times', { exact: true }).fill('3')
  await form.getByLabel('Reward coins', { exact: true }).fill('5')
  await pick(form, 'Choose members', 'By filter')
  await pick(form, 'Levels', 'Trial')
  await page.keyboard.press('Escape')
  const told = form.getByText(/^Goes to [\d,]+ members?$/)
  await told.waitFor()
  const count = Number((await told.innerText()).replaceAll(/\D/g, ''))
  expect(count).toBeGreaterThan(0)
  expect(await hindrances(page)).toEqual([])
  await form.getByRole('button', { name: 'Give a task' }).click()
  type Given = { readonly total: number }
  const token = await tokenOf('operations')
  const given = () => call<Given>('GET', `/members/task?title=${encodeURIComponent(title)}`, undefined, token)
  await expect.poll(async () => (await given()).total).toBe(count)
})

test('a voucher the platform tells of is found, verified, and its verification taken back within the hour', async () => {
  const orderNo = `DYJ${Date.now()}`
  // One that the simulated platform takes: of others it refuses one in sixteen, by their ids.
  const certificate = { id: 'KDYJ7171', code: 'sealed', last4: '7171' }
  const told = { orderNo, product: '体验课', amountFen: 1_990, paidAt: new Date().toISOString(), buyerMobile: phone() }
  await send('douyin', 'platform-order.told', { ...told, status: '20', certificate })
  const page = await openAs('operations', `/members/dy-code?query=${orderNo}`)
  await row(page, orderNo).waitFor()
  const state = async () =>
    (await list<{ verifyState: string }>('operations', `/live/dy-code?query=${orderNo}`))[0]?.verifyState
  await row(page, orderNo).getByRole('cell').nth(1).click()
  for (const [label, done, becomes] of [
    ['Verify', 'Verification sent', 'VERIFIED'],
    ['Cancel verification', 'Cancellation sent', 'NONE'],
  ] as const) {
    await dialog(page).getByRole('button', { name: label, exact: true }).click()
    if (becomes === 'NONE') await question(page).getByLabel('Reason').fill('The guest comes another day')
    await question(page)
      .getByRole('button', { name: new RegExp(`^${label}`) })
      .click()
    await page.getByText(done).first().waitFor()
    await expect.poll(state).toBe(becomes)
    await follow(page, '/members/dy-code')
    await follow(page, `/members/dy-code?query=${orderNo}`)
    await row(page, orderNo).getByRole('cell').nth(1).click()
    await dialog(page).getByText(orderNo).first().waitFor()
  }
  expect(await hindrances(page)).toEqual([])
})

test('a campaign is written for members a filter finds, who are counted with what it costs, is planned, paused and called off', async () => {
  const page = await openAs('operations', '/members/message?create=1')
  const form = dialog(page)
  const name = `Autumn offer ${randomInt(10 ** 6)}`
  await form.getByLabel('Name', { exact: true }).fill(name)
  await pick(form, 'Template')
  await form.getByLabel('Amount · off', { exact: true }).fill('¥200.00')
  await form.getByText('秋季班老学员立减 ¥200.00').waitFor()
  await pick(form, 'Choose members', 'By filter')
  await pick(form, 'Levels', 'Expired')
  await page.keyboard.press('Escape')
  const told = form.getByText(/^Goes to [\d,]+ members?, about ¥/)
  await told.waitFor()
  const count = Number(/[\d,]+/.exec(await told.innerText())?.[0].replaceAll(',', ''))
  expect(count).toBeGreaterThan(0)
  expect(await hindrances(page)).toEqual([])
  await form.getByRole('button', { name: 'Create campaign' }).click()
  type Written = Waiting & { readonly name: string; readonly status: string; readonly toSend: number }
  const written = async () => (await list<Written>('operations', '/members/campaign')).find(one => one.name === name)
  await expect.poll(async () => (await written())?.toSend).toBe(count)

  await follow(page, `/members/message?open=${(await written())?.id}`)
  const step = (label: string) => dialog(page).getByRole('button', { name: label, exact: true })
  for (const [label, done, becomes] of [
    ['Schedule', 'Scheduled', 'SCHEDULED'],
    ['Pause', 'Paused', 'PAUSED'],
    ['Cancel the campaign', 'Campaign cancelled', 'CANCELLED'],
  ] as const) {
    await step(label).click()
    const asked = question(page)
    if (becomes === 'SCHEDULED') {
      await asked
        .getByLabel('Planned for', { exact: true })
        .fill(`${dayOf(new Date(Date.now() + 2 * 86_400_000))} 10:00`)
      await page.keyboard.press('Enter')
    }
    if (becomes === 'CANCELLED') await asked.getByLabel('Reason').fill('The offer was withdrawn')
    await asked.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    await page.getByText(done, { exact: true }).first().waitFor()
    await expect.poll(async () => (await written())?.status).toBe(becomes)
  }
  // Nobody got anything, and each number says so.
  await dialog(page).getByText('Cancelled', { exact: true }).first().waitFor()
  expect(await hindrances(page)).toEqual([])
})
