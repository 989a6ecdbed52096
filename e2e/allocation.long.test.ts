import { expect, test } from 'vitest'
import { addDays, dayOf } from '../src/kit/model/time.ts'
import { hindrances, openAs } from './console.ts'

test('a manager replays a past day by a changed rule, sees who would have got how many, and puts it in force', async () => {
  const page = await openAs('sales-manager-copy', '/sale/list')
  await page.getByRole('button', { name: 'Rules and simulator' }).click()
  const window = page.getByRole('dialog')
  const told = await window.getByText(/^Edition \d+, put in force by/).innerText()
  const edition = Number(/\d+/.exec(told)?.[0])
  expect(await hindrances(page)).toEqual([])

  await window.getByRole('tab', { name: 'Simulator' }).click()
  // The demo business gives leads out up to the day before it begins: midnight may have come since.
  const day = window.getByRole('textbox', { name: 'Day' })
  await day.fill(addDays(dayOf(new Date()), -2))
  await day.press('Enter')
  await window.getByRole('button', { name: 'Simulate' }).click()
  await window.getByText('all would have gone where they went', { exact: false }).waitFor()
  await window.getByText('Replayed by the day’s own rules, it comes out as it went').waitFor()

  await window.getByRole('tab', { name: 'Rules' }).click()
  await window
    .getByRole('spinbutton', { name: /Weight/ })
    .first()
    .fill('100')
  await window.getByRole('tab', { name: 'Simulator' }).click()
  await window.getByRole('button', { name: 'Simulate' }).click()
  await window.getByText('would have gone elsewhere', { exact: false }).waitFor()
  expect(await hindrances(page)).toEqual([])

  await window.getByRole('button', { name: 'Put in force' }).click()
  await page.getByRole('textbox', { name: 'What changed' }).fill('More for the first of the team')
  await page.getByRole('dialog').last().getByRole('button', { name: 'Put in force' }).click()
  await page.getByText('Rules are in force').waitFor()
  await window.getByText(`Edition ${edition + 1}, put in force by`).waitFor()
})
