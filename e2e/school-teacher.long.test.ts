import { expect, test } from 'vitest'
import { dialog, follow, hindrances, list, openAs, question } from './console.ts'

type Teacher = { id: string; name: string; status: string; channel: string | null }

test('a consultant registers a teacher, who gets a channel and a code; the manager is told that nobody is given anything, and stops', async () => {
  const sales = await openAs('sales', '/sale/schoolTeacher?create=1')
  const form = dialog(sales)
  await form.getByLabel('Teacher', { exact: true }).fill('顾晨')
  await form.getByLabel('School', { exact: true }).fill('晨光路小学')
  await form.getByLabel('Class', { exact: true }).fill('3 班')
  await form.getByRole('button', { name: 'Create school teacher' }).click()
  await sales.locator('.ant-drawer-open').waitFor({ state: 'detached' })
  const newest = async () => (await list<Teacher>('sales', '/sales/school-teacher?sort=id:desc'))[0] as Teacher
  const { id, channel } = await newest()
  expect(channel).toBe(`TEACHER_${id}`)
  await follow(sales, `/sale/schoolTeacher?edit=${id}`)
  await dialog(sales).getByLabel('Link', { exact: true }).fill(`https://h5.inkstone.example/join?channel=${channel}`)
  await dialog(sales).getByRole('button', { name: 'Save school teacher' }).click()
  await sales.getByText('Edited successfully').waitFor()
  await follow(sales, `/sale/schoolTeacher/${id}`)
  await sales.getByRole('img', { name: /顾晨/ }).waitFor()
  expect(await hindrances(sales)).toEqual([])

  const manager = await openAs('sales-manager-copy', `/sale/schoolTeacher/${id}`)
  expect(await manager.getByRole('button', { name: 'Record reward' }).isEnabled()).toBe(false)
  await manager.getByRole('button', { name: 'Stop working together' }).click()
  await question(manager).getByLabel('Reason').fill('老师调动')
  await question(manager).getByRole('button', { name: 'Stop working together' }).click()
  await expect.poll(async () => (await newest()).status).toBe('STOPPED')
  await manager.getByRole('button', { name: 'Take up again' }).waitFor()
})
