import { expect, test } from 'vitest'
import { call, dialog, openAs, question, tokenOf } from './console.ts'

const PATH = '/system/scheduleJob/list'

test('a job is run by hand: it is at work, has ended, and its log tells who wanted it and how long it took', async () => {
  const token = await tokenOf('admin')
  type Listed = { records: { id: string; handler: string }[] }
  const { records } = await call<Listed>('GET', '/system/schedule-job?query=clear-run-log', undefined, token)
  const page = await openAs('admin', `${PATH}?open=${records[0]?.id}`)
  await page.getByText('Every day, at 03:30').first().waitFor()
  await dialog(page).getByRole('button', { name: 'Run now' }).click()
  await page.getByText('the schedule stays as it is').waitFor()
  await question(page).getByRole('button', { name: 'Run now' }).click()
  await page.getByText('Run asked for').waitFor()
  await dialog(page).getByRole('tab', { name: 'Runs' }).click()
  const run = dialog(page).getByRole('row').filter({ hasText: 'By hand' }).first()
  await run.getByText('Succeeded').waitFor()
  expect(await run.innerText()).toMatch(/\d+ ms|\d s/)
})
