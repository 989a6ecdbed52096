import { waitFor, within } from '@testing-library/react'
import type { ComponentType } from 'react'
import { describe, expect, test } from 'vitest'
import { choicesOf } from '#kit/model/field.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { AnyWorkflow } from '#kit/page/step-types.ts'
import { findButton, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { SAMPLE_FILE, sampleRow } from '../../../../tools/testing/sample-row.ts'
import { loadTexts } from '../language.ts'
import { screenOfRecords } from '../screens.ts'
import { placeFields } from './fields.ts'
import { stagesOf } from './path.tsx'

type Model = { resource?: Resource; workflow?: AnyWorkflow; reference?: { name: string; table: string } }
const models = import.meta.glob<Model>('../../../areas/*/*/model.ts', { eager: true })
const pages = import.meta.glob<{ Page: ComponentType }>('../../../areas/*/*/page.tsx')
const details = Object.entries(models).flatMap(([path, { resource, workflow }]) =>
  resource?.actions.includes('detail')
    ? [{ name: resource.screen.name, resource, workflow, load: pages[path.replace('model.ts', 'page.tsx')] }]
    : [],
)

/** A key instead of its text. */
const RAW_KEY = /\b(?:field|status|step|tab|kind)\.[a-zA-Z-]+\b/

/** Of each person no more than the list and the record, and whoever may do everything. */
const ROLES = [
  ['whoever may only read', false],
  ['whoever may do everything', true],
] as const

describe.each(details)('the detail of $name', ({ name, resource, workflow, load }) => {
  test.each(ROLES)('is told to %s: title, facts, evidence and history, in words', async (_, superAdmin) => {
    const { Page } = (await load?.()) ?? {}
    if (!Page) throw new Error(`${name} has no page`)
    const steps = Object.fromEntries(Object.keys(workflow?.steps ?? {}).map(step => [step, null]))
    const row = sampleRow(resource, superAdmin ? { steps } : {})
    await loadTexts(name)
    await renderPage(<Page />, {
      path: `${resource.screen.route}/7`,
      superAdmin,
      grants: { [resource.screen.key]: ['list', 'detail'] },
      calls: {
        ...commonCalls,
        [`GET /api/${name}/7`]: () => row,
        [`POST /api/common/file/${SAMPLE_FILE}/link`]: () => ({ url: '/picture.png' }),
        'GET /api/common/reference/product': () => [],
        [`GET /api/${name}/tree`]: () => ({ nodes: [], isWhole: true }),
        [`GET /api/${name}/7/editions`]: () => [],
        [`GET /api/${name}/7/draft`]: () => null,
        [`GET /api/${name}/permissions`]: () => [],
        [`GET /api/${name}/settings`]: () => [],
        [`GET /api/${name}/known`]: () => ({ nodes: [], chains: [], events: [], facts: [] }),
      },
    })
    const story = await waitFor(() => {
      const shown = document.querySelector<HTMLElement>('.inkstone-story')
      if (!shown) throw new Error('no detail')
      return shown
    })
    await within(story).findByText('No history yet')
    expect(story.querySelectorAll('.inkstone-facts-main dt').length).toBeGreaterThan(0)
    await waitFor(() => expect(document.body.textContent).not.toMatch(RAW_KEY))
    expect(findButton('Edit', story) !== undefined).toBe(superAdmin && resource.actions.includes('update'))
    const tabs = story.querySelectorAll('[role="tab"]')
    expect(story.querySelectorAll('[role="tab"][aria-selected="true"]')).toHaveLength(Math.min(tabs.length, 1))
  })

  test('places each field once', () => {
    const row = sampleRow(resource) as never
    const { facts, evidence, others, empty } = placeFields(resource, {}, row)
    const placed = [...facts, ...evidence, ...others, ...empty]
    expect(new Set(placed).size).toBe(placed.length)
    expect(facts.length).toBeLessThanOrEqual(6)
  })

  test('knows where a record stands in whatever state it is', () => {
    const field = workflow?.field
    if (!workflow?.path || !field) return
    for (const state of choicesOf(resource.record.shape[field] as never)) {
      const stages = stagesOf(workflow, sampleRow(resource, { [field]: state }) as never, [])
      const reached = stages.filter(({ stands }) => stands === 'now' || stands === 'ended' || stands === 'passed')
      expect(reached.length, state).toBeGreaterThan(0)
      for (const { key } of stages) {
        const [own = '', value] = key.split('.')
        expect(choicesOf(resource.record.shape[own] as never), key).toContain(value)
      }
    }
  })
})

test('whatever others name leads to a screen that shows it in every state, or nowhere', () => {
  for (const { resource, reference } of Object.values(models)) {
    if (resource) expect(resource.screen.partial, resource.screen.name).toBe(resource.list.only !== undefined)
    if (!reference) continue
    const found = screenOfRecords(reference.name)
    // A slice may have more to name than its records, such as the pool a lead waits in.
    const isShown = resource && resource.table === reference.table && !resource.screen.partial
    expect(found?.name ?? null).toBe(isShown ? resource.screen.name : null)
  }
})
