import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { resource } from '#areas/orders/examination/model.ts'
import type { Resource } from '#kit/model/resource.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { Heading } from './story.tsx'

test.each([
  ['leads to that one', { order: ['list'], 'order-list': ['list', 'detail'] }, 1],
  ['leads nobody where he may not go', {}, 0],
])('a record that is called by another %s', async (_name, grants, links) => {
  const examinations = resource as unknown as Resource
  await renderPage(<Heading resource={examinations} workflow={undefined} row={sampleRow(examinations) as never} />, {
    grants,
  })
  expect(screen.queryAllByRole('link')).toHaveLength(links)
})
