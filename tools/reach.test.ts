import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Area } from '../src/kit/model/area.ts'
import { changedSince, EVERYTHING, leavesLongOut, longWithin, reachOf, readAreas } from './testing/reach.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const AREAS = { system: [], products: [], orders: ['products'], finance: ['orders'], workbench: ['orders'] }

describe('what a change can reach', () => {
  test.each([
    'src/kit/server/list/list.ts',
    'src/kit/model/field.ts',
    'src/engines/sequence/server.ts',
    'migrations/20261115T0905-order-review.sql',
    'package-lock.json',
    'tools/testing/instance.ts',
    'src/server.ts',
  ])('%s reaches everything', path => {
    expect(reachOf([path], AREAS)).toEqual(EVERYTHING)
  })

  test('a rule of an area reaches its own tests, those of all that depend on it, and what walks over all screens', () => {
    expect(reachOf(['src/areas/orders/order/server.ts'], AREAS)).toEqual({
      server: ['tools/', 'src/demo/', 'src/areas/orders/', 'src/areas/finance/', 'src/areas/workbench/'],
      page: ['src/areas/orders/', 'src/areas/finance/', 'src/areas/workbench/'],
      faults: [''],
      journeys: [''],
    })
    expect(reachOf(['src/areas/products/product/model.ts'], AREAS).page).toEqual([
      'src/areas/products/',
      'src/areas/orders/',
      'src/areas/finance/',
      'src/areas/workbench/',
    ])
  })

  test('a page or a text reaches no rule, and neither race nor program', () => {
    for (const path of ['src/areas/system/dictionary/page.tsx', 'src/areas/system/dictionary/locale.ts'])
      expect(reachOf([path], AREAS)).toEqual({
        server: ['tools/'],
        page: ['src/areas/system/'],
        faults: [],
        journeys: [''],
      })
    expect(reachOf(['src/kit/page/list/list-page.tsx'], AREAS)).toMatchObject({ page: [''], faults: [] })
  })

  test('a test reaches itself, and words reach what reads words', () => {
    expect(reachOf(['e2e/refund.test.ts', 'src/kit/page/step.test.tsx', 'docs/glossary.md'], AREAS)).toEqual({
      server: ['tools/docs.test.ts'],
      page: ['src/kit/page/step.test.tsx'],
      faults: [],
      journeys: ['e2e/refund.test.ts'],
    })
  })

  test('what a change reaches of the long run is named, and left to it', () => {
    const files = [
      'e2e/tabs.long.test.ts',
      'e2e/frame.test.ts',
      'faults/model.long.test.ts',
      'tools/container.long.test.ts',
      'src/kit/server/cli/backup-bucket.long.test.ts',
    ]
    const [tabs, , model, container, bucket] = files
    const namedFor = (path: string) => longWithin(reachOf([path], AREAS), files)
    expect(namedFor('src/areas/system/dictionary/page.tsx')).toEqual([tabs, container])
    expect(namedFor('src/areas/orders/order/server.ts')).toEqual([tabs, model, container])
    expect(namedFor('src/kit/server/list/list.ts')).toEqual([tabs, model, container, bucket])
    expect(namedFor('e2e/tabs.long.test.ts')).toEqual([tabs])
    expect(namedFor('docs/glossary.md')).toEqual([])
    expect([undefined, '--since', 'long', 'e2e/tabs.long.test.ts'].map(leavesLongOut)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('nothing changed reaches nothing', () => {
    expect(reachOf([], AREAS)).toEqual({ server: [], page: [], faults: [], journeys: [] })
  })
})

test('what an area depends on is read as it is declared', async () => {
  const declared = await Promise.all(
    globSync('src/areas/*/area.ts', { cwd: ROOT }).map(
      async path => ((await import(/* @vite-ignore */ `../${path}`)) as { area: Area }).area,
    ),
  )
  expect(readAreas(ROOT)).toEqual(Object.fromEntries(declared.map(({ name, dependsOn }) => [name, dependsOn])))
})

test('a commit nobody knows is said, not passed over', () => {
  expect(() => changedSince('no-such-commit', ROOT)).toThrow(/no-such-commit|not a git repository/)
})
