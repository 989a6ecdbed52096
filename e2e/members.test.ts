import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { dayOf } from '../src/kit/model/time.ts'
import { call, dialog, hindrances, list, openAs, pick, question, tokenOf } from './console.ts'

type Waiting = { readonly id: string }

/** What waits for somebody on each of these pages, with whom, and what is said once it is done. */
const DEEDS = [
  ['operations', '/members/share', 'members/share', 'approve', 'Approve', 'Share approved'],
  ['teacher', '/members/activity', 'members/check-in', 'approve', 'Approve make-up', 'Make-up approved'],
  ['operations', '/members/task', 'members/task', 'approve', 'Approve proof', 'Proof approved'],
  ['sales', '/members/mobile', 'members/registration', 'remind', 'Remind by SMS', 'Reminder handed over for sending'],
] as const

test.each(DEEDS)(
  '%s opens what waits on %s, does it, and it waits no longer',
  async (account, route, name, todo, label, done) => {
    const waiting = () => list<Waiting>(account, `/${name}?todo=${todo}&size=100`)
    const [first] = await waiting()
    if (!first) throw new Error('nothing waits in the demo business')
    const page = await openAs(account, `${route}?todo=${todo}&open=${first.id}`)
    const button = dialog(page).getByRole('button', { name: label, exact: true })
    await button.waitFor()
    expect(await hindrances(page)).toEqual([])
    await button.click()
    await question(page)
      .getByRole('button', { name: new RegExp(`^${label}`) })
      .click()
    await page.getByText(done).first().waitFor()
    await expect.poll(async () => (await waiting()).some(({ id }) => id === first.id)).toBe(false)
  },
)

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
