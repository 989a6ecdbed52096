import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dialog, list, openAs, question } from './console.ts'
import { openDatabase } from './database.ts'

const PATH = '/system/scheduleJob/list'

async function runByHand(handler: string): Promise<Page> {
  const [job] = await list<{ id: string }>('admin', `/system/schedule-job?query=${handler}`)
  const page = await openAs('admin', `${PATH}?open=${job?.id}`)
  await dialog(page).getByRole('button', { name: 'Run now' }).click()
  await page.getByText('the schedule stays as it is').waitFor()
  await question(page).getByRole('button', { name: 'Run now' }).click()
  await page.getByText('Run asked for').waitFor()
  return page
}

test('a job is run by hand: it is at work, has ended, and its log tells who wanted it and how long it took', async () => {
  const page = await runByHand('clear-run-log')
  await page.getByText('Every day, at 03:30').first().waitFor()
  await dialog(page).getByRole('tab', { name: 'Runs' }).click()
  const run = dialog(page).getByRole('row').filter({ hasText: 'By hand' }).first()
  await run.getByText('Succeeded').waitFor()
  expect(await run.innerText()).toMatch(/\d+ ms|\d s/)
})

const LINKS = 14
/** What each link takes here: with all of them somebody has time to look. */
const SECONDS = 0.7
const SIGNS = '23456789abcdefghjkmnpqrstuvwxyz'

test('a job that goes through many rows shows how far it is while it is at work, and in its log how many they were', async () => {
  const database = await openDatabase()
  try {
    const codes = Array.from({ length: LINKS }, () => Array.from({ length: 8 }, () => SIGNS[randomInt(31)]).join(''))
    const { rowCount } = await database.query(
      `insert into sales_link (code, owner_id, org_id, product_id, list_fen, price_fen, expires_on, created_at)
       select made.code, one.owner_id, one.org_id, one.product_id, one.list_fen, one.list_fen, current_date - 2, now() - interval '9 days'
       from unnest($1::text[]) as made (code), (select * from sales_link order by id limit 1) as one`,
      [codes],
    )
    expect(rowCount).toBe(LINKS)
    await database.query(`
      create function slow_for_a_journey() returns trigger language plpgsql as
        $$ begin perform pg_sleep(${SECONDS}); return new; end $$;
      create trigger slow_for_a_journey before update of status on sales_link
        for each row execute function slow_for_a_journey()`)
    const page = await runByHand('keep-links')
    const far = dialog(page)
      .getByText(/^\d+ of \d+$/)
      .first()
    await far.waitFor()
    const before = await far.innerText()
    await expect.poll(() => far.innerText()).not.toBe(before)
    await dialog(page).getByRole('tab', { name: 'Runs' }).click()
    const run = dialog(page).getByRole('row').filter({ hasText: 'By hand' }).first()
    await run.getByText('Succeeded').waitFor()
    expect(await run.innerText()).toMatch(/\b(\d\d) \/ \1\b/)
    await far.waitFor({ state: 'detached' })
  } finally {
    await database.query('drop trigger if exists slow_for_a_journey on sales_link')
    await database.query('drop function if exists slow_for_a_journey()')
    await database.end()
  }
})
