import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { child as decisions } from './decisions/model.ts'
import { Decisions, Owners } from './history.page.tsx'
import { child as owners } from './owners/model.ts'

const API = '/api/sales/salvage/7'
const grants = { 'sale-salvage': ['list', 'detail'] }

describe('beside a lead', () => {
  test('why it left somebody’s hands is told in words, whichever list they are of', async () => {
    const span = (id: string, endReason: string | null) => sampleRow(owners.resource as never, { id, endReason })
    const entry = (v: string, k: string) => ({ v, k, colour: 'grey', enabled: true })
    await renderPage(<Owners row={{ id: '7' }} />, {
      grants,
      calls: {
        ...commonCalls,
        [`GET ${API}/owners`]: () => paged([span('3', 'TOO_DEAR'), span('2', 'NO_NEED'), span('1', null)]),
        'POST /api/common/attachMore': ({ body }) => {
          const [{ target = '' } = {}] = body as { target?: string }[]
          const words = {
            LEAD_RETURN: [entry('NO_NEED', 'No need now')],
            LEAD_END: [entry('TOO_DEAR', 'Too expensive')],
          }
          return { [target]: words[target as keyof typeof words] ?? [] }
        },
      },
    })
    expect(await screen.findByText('Too expensive')).toBeDefined()
    expect(await screen.findByText('No need now')).toBeDefined()
  })

  test('who was passed over and why stands with the decision of the rules, and above it what a chain chose', async () => {
    const row = sampleRow(decisions.resource as never, { passed: [{ id: '5', why: 'OPEN_FULL', name: 'An' }] })
    const run = { id: '1', at: '2026-11-16T02:00:00Z', edition: 3, chose: 'DEAL', to: 'SALES_TEAM_1', fault: null }
    await renderPage(<Decisions row={{ id: '7' }} />, {
      grants,
      calls: {
        ...commonCalls,
        [`GET ${API}/decisions`]: () => paged([row]),
        [`GET ${API}/chain-run`]: () => [run, { ...run, id: '2', edition: 0, chose: 'RULES', to: null, fault: 'time' }],
      },
    })
    expect(await screen.findByText('An: too many not contacted')).toBeDefined()
    expect(await screen.findByText('Rule chain, edition 3')).toBeDefined()
    expect(screen.getByText('Deal out in the department SALES_TEAM_1')).toBeDefined()
    expect(screen.getByText('time')).toBeDefined()
  })
})
