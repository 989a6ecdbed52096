import { expect, test } from 'vitest'
import { hindrances, list, openAs, pick, question } from './console.ts'

type Form = { id: string; formNo: string; followStatus: string; callBack: string; ownerId: string | null }

const formAt = async (query: string) => (await list<Form>('operations', `/traffic/lead-form?kind=FORM&${query}`))[0]

test('a form somebody sent on a platform is assigned to a consultant, and one that led to somebody is reported as valid', async () => {
  const waiting = await formAt('followStatus=UNASSIGNED')
  const desk = await openAs('operations', `/operate/redBookForm?query=${waiting?.formNo}`)
  const row = desk.locator('.ant-table-row').filter({ visible: true })
  await row.getByRole('button', { name: 'Assign', exact: true }).click()
  await pick(question(desk), 'New owner')
  await question(desk).getByRole('button', { name: 'Assign', exact: true }).click()
  await desk.getByText('Assigned').first().waitFor()
  const assigned = await formAt(`query=${waiting?.formNo}`)
  expect(assigned).toMatchObject({ followStatus: 'ASSIGNED' })
  expect(assigned?.ownerId).not.toBeNull()

  const spoken = await formAt('followStatus=CONTACTED&callBack=NONE')
  const reported = await openAs('operations', `/operate/redBookForm/${spoken?.id}`)
  await reported.getByRole('button', { name: 'Report as valid' }).click()
  await question(reported).getByRole('button', { name: 'Report as valid' }).click()
  await expect
    .poll(async () => (await formAt(`query=${spoken?.formNo}`))?.callBack, { timeout: 30_000 })
    .toMatch(/^(SENT|FAILED)$/)
  expect(await hindrances(reported)).toEqual([])
})
