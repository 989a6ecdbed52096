import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type Calls, press, renderPage } from '../../../../tools/testing/page.tsx'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { resource } from './model.ts'
import { Page } from './page.tsx'

const PATH = '/api/system/schedule-job'
const job = (part: object = {}) =>
  sampleRow(resource as never, {
    id: '7',
    name: 'stored',
    cron: '0 30 3 * * *',
    declaredCron: '0 0 * * * *',
    runningSince: null,
    runDone: null,
    runTotal: null,
    parameters: [{ name: 'days', value: 3 }],
    declared: [{ name: 'days', label: 'Keep runs', unit: 'days', min: 1, max: 90, default: 3 }],
    labels: {
      name: { id: '7', name: 'Clear the log', note: null, tone: null },
      cron: { id: '7', name: 'Every day, at 03:30', note: null, tone: null },
    },
    ...part,
  })
const calls = (row: object): Calls => ({
  [`GET ${PATH}`]: () => ({ records: [row], total: 1, totalAt: '2026-03-01T06:03:00.000Z' }),
  [`GET ${PATH}/counts`]: () => ({ ENABLED: 1 }),
  [`GET ${PATH}/7`]: () => row,
  [`PUT ${PATH}/7`]: () => null,
  [`GET ${PATH}/7/timeline`]: () => [],
  [`POST ${PATH}/preview`]: ({ body }) =>
    (body as { cron: string }).cron === 'soon'
      ? { reading: null, nextRuns: [] }
      : { reading: 'Every hour', nextRuns: ['2026-03-01T07:00:00.000Z'] },
})
const grants = { 'schedule-job': ['list', 'detail', 'update'] }

describe('scheduled jobs', () => {
  test('are listed with their schedule in words and how far a run is', async () => {
    const row = job({ runningSince: '2026-03-01T06:03:00.000Z', runDone: 40, runTotal: 200 })
    await renderPage(<Page />, { calls: calls(row), grants })
    await screen.findByText('Clear the log')
    expect(screen.getByText('Every day, at 03:30')).toBeTruthy()
    expect(await screen.findByText('40 of 200')).toBeTruthy()
  })

  test('are changed with the meaning of what is typed in sight, and within the bounds of each parameter', async () => {
    const page = await renderPage(<Page />, { search: 'edit=7', calls: calls(job()), grants })
    const schedule = await screen.findByLabelText('Schedule')
    fireEvent.change(schedule, { target: { value: 'soon' } })
    await screen.findByText('This is no schedule, or one that is never due')
    press('Use the default')
    await screen.findByText('Every hour')
    expect(screen.getByText(/2026-03-01 15:00:00/)).toBeTruthy()
    expect(screen.getByText('1 to 90 days, default 3 days')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Keep runs'), { target: { value: '7' } })
    press('Save scheduled job')
    await waitFor(() => expect(page.sent(`PUT ${PATH}/7`)).toHaveLength(1))
    expect(page.sent(`PUT ${PATH}/7`)[0]?.body).toMatchObject({
      cron: '0 0 * * * *',
      parameters: [{ name: 'days', value: 7 }],
    })
  })
})
