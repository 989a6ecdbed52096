import { expect, test } from 'vitest'
import { hindrances, isLoaded, openAs } from './console.ts'

test('a work is taken, marked three times, judged and sent with nine presses beyond drawing, and taken back', async () => {
  const page = await openAs('teacher', '/members/opus?desk=1')
  await page.getByText('of your members').waitFor()
  let presses = 0
  const press = async (key: string) => {
    presses += 1
    await page.keyboard.press(key)
  }
  await page.keyboard.press('n')
  const picture = page.getByRole('img', { name: 'Picture 1' })
  await picture.waitFor()
  await isLoaded(page)
  const box = await picture.boundingBox()
  if (!box) throw new Error('no picture is in sight')
  for (const [at, fault] of ['1', '3', '5'].entries()) {
    await page.mouse.click(box.x + 120 + 80 * at, box.y + 140)
    await press(fault)
  }
  await expect.poll(() => page.locator('.work-marks li').count()).toBe(3)
  for (const points of ['8', '9', '7']) await press(points)
  await page.getByText('Total 82').waitFor()
  await press('q')
  // What is said so far is there after a reload.
  await page.reload()
  await page.getByText('Total 82').waitFor()
  expect(await page.locator('.work-marks li').count()).toBe(3)
  await press('Control+Enter')
  expect(presses).toBeLessThanOrEqual(9)
  await page.getByText('it can be taken back for two minutes').first().waitFor()
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByText('Total 82').waitFor()
  await page.getByRole('button', { name: 'Put back' }).click()
  await page.getByText('Just commented').waitFor({ state: 'detached' })
})

test('a comment is spoken, heard again, kept over a reload and sent with the rest', async () => {
  const page = await openAs('teacher', '/members/opus?desk=1')
  await page.getByText('of your members').waitFor()
  await page.keyboard.press('n')
  await page.getByRole('img', { name: 'Picture 1' }).waitFor()
  await page.getByRole('button', { name: /^Record/ }).click()
  await page.getByRole('button', { name: /^Stop recording 1/ }).click()
  const recording = page.getByLabel('Recording', { exact: true })
  await recording.waitFor()
  const readiness = () => recording.evaluate(of => (of as HTMLAudioElement).readyState)
  await expect.poll(readiness).toBeGreaterThan(0)
  expect(await hindrances(page)).toEqual([])
  await page.reload()
  await recording.waitFor()
  for (const points of ['8', '9', '7']) await page.keyboard.press(points)
  await page.keyboard.press('Control+Enter')
  await page.getByText('it can be taken back for two minutes').first().waitFor()
  await page.getByRole('button', { name: 'Take back' }).click()
  await recording.waitFor()
  await page.getByRole('button', { name: 'Put back' }).click()
  await page.getByText('Just commented').waitFor({ state: 'detached' })
})
