import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { createRef } from 'react'
import { describe, expect, test } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { fieldMeta } from '#kit/model/field.ts'
import type { Resource, Shape } from '#kit/model/resource.ts'
import { type Calls, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { loadTexts, say } from '../language.ts'
import type { AnyWorkflow } from '../step-types.ts'
import { FormDrawer } from './form-drawer.tsx'
import { StepFields, type StepForm } from './step-fields.tsx'
import type { Values } from './values.ts'

type Slice = { resource?: Resource; workflow?: AnyWorkflow }
const SLICES = Object.values(import.meta.glob<Slice>('../../../areas/*/*/model.ts', { eager: true })).flatMap(
  ({ resource, workflow }) => (resource?.record ? [{ resource, workflow }] : []),
)
const named = ({ resource }: { resource: Resource }) => resource.screen.name
const wrongOf = (field: string) => `wrong: ${field}`
const wrongAll = (fields: readonly string[]) => Object.fromEntries(fields.map(field => [field, wrongOf(field)]))

/** Something the form lets through, so that the server is asked. */
const anything = (schema: Shape[string]): unknown => {
  const { kind } = fieldMeta(schema)
  if (kind === 'money' || kind === 'number') return 1
  if (kind === 'flag') return false
  if (kind === 'files') return ['f']
  if (kind === 'lines' || kind === 'tags' || kind === 'detail') return []
  if (kind === 'day') return '2026-03-02'
  if (kind === 'instant') return '2026-03-02T06:00:00.000Z'
  return '1'
}
const filled = (shape: Shape, fields: readonly string[]): Values =>
  Object.fromEntries(fields.map(field => [field, anything(shape[field] as Shape[string])]))

/** Answers whatever inputs ask for: what can be chosen does not matter here. */
const anyCalls = (own: Calls): Calls =>
  new Proxy(
    { ...commonCalls, ...own },
    {
      get: (known: Record<string, Calls[string]>, name: string) =>
        known[name] ?? (name.startsWith('GET /api/common/reference/') ? () => [] : undefined),
    },
  )

/** The words below each input, by the label above it. */
const found = (within: ParentNode) =>
  [...within.querySelectorAll('.ant-form-item')].map(item => [
    item.querySelector('label')?.textContent,
    item.querySelector('.ant-form-item-explain-error')?.textContent,
  ])
const expected = (resource: Resource, fields: readonly string[]) =>
  fields.map(field => [say(resource.screen.name, `field.${field}`), wrongOf(field)])

async function refuseForm(resource: Resource, record: Values | undefined, fields: readonly string[], part = {}) {
  const refuse = () => refused(CODES.validation, 'Invalid: check', { fields: wrongAll(fields), ...part }, 422)
  const path = `/api/${resource.screen.name}`
  await renderPage(
    <FormDrawer
      resource={resource}
      inputs={{}}
      isShown={() => true}
      shows={{}}
      record={record as never}
      initial={record ? {} : filled({ ...resource.record.shape, ...resource.asks }, fields)}
      open
      onClose={() => {}}
      onDone={() => {}}
    />,
    { superAdmin: true, calls: anyCalls({ [`POST ${path}`]: refuse, [`PUT ${path}/7`]: refuse }) },
  )
  await waitFor(() => expect(document.querySelectorAll('.ant-drawer .ant-form-item')).toHaveLength(fields.length))
  fireEvent.click(document.querySelector('.ant-drawer button[type=submit]') as HTMLElement)
  await screen.findByText(wrongOf(fields[0] as string))
  return document.querySelector('.ant-drawer') as HTMLElement
}

describe('what the server finds wrong with a field is said at that field', () => {
  const created = SLICES.filter(({ resource }) => resource.actions.includes('create') && resource.create.length > 0)
  test.each(created.map(slice => [named(slice), slice] as const))('when a record of %s is added', async (_, slice) => {
    const { resource } = slice
    await loadTexts(resource.screen.name)
    const fields = [...resource.create, ...Object.keys(resource.asks)]
    const drawer = await refuseForm(resource, undefined, fields)
    expect(found(drawer)).toEqual(expected(resource, fields))
  })

  const edited = SLICES.filter(({ resource }) => resource.edit.length > 0)
  test.each(edited.map(slice => [named(slice), slice] as const))('when a record of %s is edited', async (_, slice) => {
    const { resource } = slice
    await loadTexts(resource.screen.name)
    const record = { ...filled(resource.record.shape, resource.edit), id: '7', version: 1 }
    const drawer = await refuseForm(resource, record, resource.edit)
    expect(found(drawer)).toEqual(expected(resource, resource.edit))
  })

  const steps = SLICES.flatMap(({ resource, workflow }) =>
    Object.entries(workflow?.steps ?? {})
      .filter(([, step]) => Object.keys(step.input ?? {}).length > 0)
      .map(([name, step]) => [`${resource.screen.name}: ${name}`, resource, step.input as Shape] as const),
  )
  test.each(steps)('when a step asks for more (%s)', async (_, resource, input) => {
    await loadTexts(resource.screen.name)
    const fields = Object.keys(input)
    const form = createRef<StepForm>()
    const page = await renderPage(
      <StepFields resource={resource} input={input} inputs={{}} isShown={() => true} row={undefined} form={form} />,
      { superAdmin: true, calls: anyCalls({}) },
    )
    act(() => form.current?.showErrors(wrongAll(fields)))
    await within(page.container).findByText(wrongOf(fields[0] as string))
    expect(found(page.container)).toEqual(expected(resource, fields))
  })
})

describe('no word of the server is lost', () => {
  const resource = SLICES.find(slice => named(slice) === 'products/coupon')?.resource as Resource
  const input = Object.fromEntries(['name', 'kind', 'perPerson'].map(field => [field, resource.record.shape[field]]))
  const refuseStep = async (errors: Record<string, string>, isShown = (_: string) => true) => {
    await loadTexts('products/coupon')
    const form = createRef<StepForm>()
    const page = await renderPage(
      <StepFields
        resource={resource}
        input={input as Shape}
        inputs={{}}
        isShown={isShown}
        row={undefined}
        form={form}
      />,
      { superAdmin: true, calls: anyCalls({}) },
    )
    act(() => form.current?.showErrors(errors))
    return page.container
  }

  test('what it says of a field that is not asked for stands above the others, with its name', async () => {
    const shown = await refuseStep({ name: 'Taken', kind: 'Not now' }, field => field !== 'kind')
    const name = say(resource.screen.name, 'field.kind')
    expect((await within(shown).findByRole('alert')).textContent).toContain(`${name}: Not now`)
    await within(shown).findByText('Taken')
  })

  test('what it says of several lines of one field is all there, line by line', async () => {
    const shown = await refuseStep({ 'name.0.productId': 'Required', 'name.2.quantity': 'At least 1' })
    await within(shown).findByText('Line 1: Required')
    await within(shown).findByText('Line 3: At least 1')
  })
})
