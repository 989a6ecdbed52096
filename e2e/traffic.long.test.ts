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

type Account = { id: string; name: string; menuState: string }
type Scene = { id: string; name: string; status: string }

test('a menu is published to an account people follow, a code to follow by is drawn, and a word is tried before anybody types it', async () => {
  const accounts = await list<Account>('operations', '/traffic/official-account')
  const drafted = accounts.find(({ menuState }) => menuState === 'NONE')
  const desk = await openAs('operations', `/operate/gz/${drafted?.id}`)
  await desk.getByRole('button', { name: 'Publish menu' }).click()
  await question(desk).getByRole('button', { name: 'Publish menu' }).click()
  const stateNow = async () => {
    const found = await list<Account>('operations', '/traffic/official-account')
    return found.find(({ id }) => id === drafted?.id)?.menuState
  }
  await expect.poll(stateNow, { timeout: 30_000 }).toBe('PUBLISHED')

  const live = accounts.find(({ menuState }) => menuState === 'PUBLISHED')
  const page = await openAs('operations', `/operate/gz/${live?.id}`)
  await page.getByRole('tab', { name: 'Try a reply' }).click()
  await page.getByLabel('What a follower writes').fill('请问价格')
  await page.getByText('Keyword “价格” (Contains)').waitFor()
  expect(await hindrances(page)).toEqual([])
  await page.getByRole('button', { name: 'Add QR code' }).click()
  await question(page).getByLabel('Name of the QR code').fill('秋季家长会')
  await pick(question(page), 'Channel')
  await question(page).getByRole('button', { name: 'Add QR code' }).click()
  const scenes = async () =>
    (await list<Scene>('operations', `/traffic/official-account/${live?.id}/scenes`)).find(
      ({ name }) => name === '秋季家长会',
    )?.status
  await expect.poll(scenes, { timeout: 30_000 }).toBe('OPEN')
  await page.getByRole('tab', { name: 'QR codes' }).click()
  await page.getByRole('button', { name: 'Show the QR code of 秋季家长会' }).click()
  await page.getByRole('img', { name: /秋季家长会/ }).waitFor()
})

test('the numbers of a source open its leads and the members it is credited with, whose way says why', async () => {
  const numbers = await openAs('operations-manager', '/source/count?dimension=source')
  const row = numbers.locator('tr').filter({ hasText: 'Xiaohongshu' }).filter({ visible: true }).first()
  await row.waitFor()
  expect(await hindrances(numbers)).toEqual([])
  const [payer] = await list<{ id: string }>('operations-manager', '/members/member?creditedSource=XIAOHONGSHU')
  const way = await openAs('operations-manager', `/members/list/${payer?.id}`)
  await way.getByRole('tab', { name: 'Lead path' }).click()
  for (const told of ['Credited', 'First payment'])
    await way.getByText(told, { exact: true }).filter({ visible: true }).first().waitFor()
})
