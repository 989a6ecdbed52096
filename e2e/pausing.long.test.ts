import { expect, test } from 'vitest'
import { addDays, dayOf } from '../src/kit/model/time.ts'
import { call, dialog, follow, hindrances, list, openAs, question, tokenOf } from './console.ts'

const PATH = '/members/application'
const DAYS = 20
/** Sooner than what was read would be asked for again because it is old. */
const NOT_BY_AGE_MS = 10_000

type Member = {
  readonly id: string
  readonly name: string
  readonly membershipEndsOn: string | null
  readonly risks: { readonly openRefunds: number }
  readonly pause: object | null
}
type Application = { readonly id: string; readonly status: string; readonly pausedUntil: string | null }

const read = async (id: string): Promise<Member> =>
  call<Member>('GET', `/members/member/${id}`, undefined, await tokenOf('sales'))

/** One of the consultant's own with days left, of whom nothing is asked and nothing given back. */
async function pausable(today: string): Promise<Member> {
  const members = await list<Member>('sales', '/members/member?level=MEMBER&status=ACTIVE&size=100')
  for (const { id, membershipEndsOn } of members) {
    if ((membershipEndsOn ?? '') < addDays(today, 2)) continue
    const member = await read(id)
    const asked = await list<Application>('sales', `${PATH}?memberId=${id}`)
    if (member.pause === null && member.risks.openRefunds === 0 && asked.length === 0) return member
  }
  throw new Error('the demo business has no such member')
}

test('a consultant asks for a pause, somebody else agrees, the member’s page says so, and it is taken up again as if nothing had been', async () => {
  const today = dayOf(new Date())
  const { id, name, membershipEndsOn: ends } = await pausable(today)
  const form = `create=1&with.kind=PAUSE&with.memberId=${id}&with.pauseFrom=${today}`
  const sales = await openAs('sales', `/members/apply?${form}`)
  await dialog(sales).getByText('Pause membership').first().waitFor()
  await dialog(sales).getByLabel('Days to pause').fill(String(DAYS))
  await dialog(sales).getByLabel('Reason').fill('Broken wrist, three weeks of rest')
  await dialog(sales).getByRole('button', { name: 'Submit application' }).click()
  await expect.poll(async () => (await list<Application>('sales', `${PATH}?memberId=${id}`)).length).toBe(1)
  const [asked] = await list<Application>('sales', `${PATH}?memberId=${id}`)
  // Until somebody has agreed nothing stands still, and whoever asked is not somebody else.
  expect(asked?.status).toBe('SUBMITTED')
  expect((await read(id)).membershipEndsOn).toBe(ends)
  await follow(sales, `/members/apply?open=${asked?.id}`)
  await dialog(sales).getByText(name).first().waitFor()
  expect(await dialog(sales).getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

  const manager = await openAs('sales-manager-copy', `/members/apply?open=${asked?.id}`)
  await dialog(manager).getByRole('button', { name: 'Approve', exact: true }).click()
  await question(manager)
    .getByRole('button', { name: /^Approve/ })
    .click()
  const status = async () => (await list<Application>('sales', `${PATH}?memberId=${id}`))[0]?.status
  await expect.poll(status).toBe('APPROVED')

  const until = addDays(today, DAYS - 1)
  await follow(sales, `/members/list?open=${id}`)
  await sales.getByText(`The membership is paused until ${until}`).first().waitFor()
  expect((await read(id)).membershipEndsOn).toBe(addDays(ends ?? '', DAYS))
  expect(await hindrances(sales)).toEqual([])

  await follow(sales, `/members/apply?open=${asked?.id}`)
  await dialog(sales).getByRole('button', { name: 'Resume membership' }).click()
  await question(sales).getByLabel('Reason').fill('The wrist is well again')
  await question(sales).getByRole('button', { name: 'Resume membership' }).click()
  await sales.getByText('Membership resumed').first().waitFor()

  // The page was read a moment ago, in a tab that is out of sight since: it is asked for again.
  await follow(sales, `/members/list?open=${id}`)
  await dialog(sales).getByText(name).first().waitFor()
  const told = sales.getByText(/The membership is paused until/).filter({ visible: true })
  await expect.poll(() => told.count(), { timeout: NOT_BY_AGE_MS }).toBe(0)
  expect((await read(id)).membershipEndsOn).toBe(ends)
})
