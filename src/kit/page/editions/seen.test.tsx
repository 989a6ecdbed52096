import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { resource, workflow } from '#areas/products/course-package/model.ts'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { refused, renderPage } from '../../../../tools/testing/page.tsx'
import { loadTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import { StepButtons, useSteps } from '../step.tsx'
import type { AnyWorkflow } from '../step-types.ts'

const PUBLISH = 'POST /api/products/course-package/5/publish'
const declared = resource as unknown as Resource
const steps = workflow as unknown as AnyWorkflow
const row = {
  id: '5',
  name: 'Strokes',
  version: 4,
  status: 'CHANGED',
  labels: {},
  steps: { publish: null },
} as unknown as Row

function Publishing() {
  const ask = useSteps(declared, steps, { done() {}, refused() {}, inputs: {}, isShown: () => true })
  return <StepButtons resource={declared} workflow={steps} row={row} onStep={name => ask(name, ['5'], [row])} />
}

test('whoever publishes names the version that was seen; when another stands by now, the question is gone', async () => {
  await loadTexts('products/course-package')
  const page = await renderPage(<Publishing />, {
    superAdmin: true,
    calls: { [PUBLISH]: () => refused(CODES.conflict, 'Conflict: changed', { fields: {} }, 409) },
  })
  fireEvent.click(await screen.findByRole('button', { name: /Publish/ }))
  const question = await screen.findByRole('dialog')
  fireEvent.click(within(question).getByRole('button', { name: /Publish/ }))
  await waitFor(() => expect(page.sent(PUBLISH).map(({ body }) => body)).toEqual([{ version: 4 }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
