import { expect, test } from 'vitest'
import { COLOURS } from '../src/engines/copybook/look.model.ts'
import { readVectors } from '../tools/testing/vectors.ts'
import { bytesOf, hindrances, openAs, row } from './console.ts'

test('a consultant types a name, sees the copybook, takes it as PDF, and finds it in the log', async () => {
  const page = await openAs('sales', '/sale/name_copy')
  await page.getByLabel('Name', { exact: true }).fill('欧阳珺')
  await page.getByRole('textbox', { name: 'Link of the QR code' }).fill('https://go.inkstone.example/t/journey')
  await page.getByRole('img', { name: 'Copybook of 欧阳珺, page 1 of 1' }).waitFor()
  expect(await hindrances(page)).toEqual([])
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('欧阳珺的姓名字帖.pdf')
  const [sheet] = readVectors(await bytesOf(file))
  expect(sheet?.filled.filter(({ colour }) => colour === COLOURS.model)).toHaveLength(6)
  expect(sheet?.boxes.length).toBeGreaterThan(100)
  await row(page, '欧*').first().waitFor()
})

test('a name nobody can draw is told at once, at its field', async () => {
  const page = await openAs('sales', '/sale/name_copy_noqrcode')
  await page.getByLabel('Name', { exact: true }).fill('李𪚥')
  await page.getByText('There is no shape to draw these characters by: 𪚥').waitFor()
})
