import { useMemo } from 'react'
import { choice, type Tone } from '#kit/model/field.ts'
import { isAsked, type Requests } from '#kit/model/request.ts'
import { metaOf, type Resource, type Shape } from '#kit/model/resource.ts'
import { type Inputs, offering, withInput } from '../form/inputs.ts'
import { later } from '../later.tsx'
import type { AnyWorkflow } from '../step-types.ts'
import { mayDo, useUser } from '../user.ts'
import { ListPage } from './list-page.tsx'

const FieldInput = later(async () => (await import('../field/input.tsx')).FieldInput)

type RequestPageProps<S extends Shape> = {
  resource: Resource<S>
  workflow: AnyWorkflow | object
  requests: Requests<never>
  /** Inputs of its own, by field. */
  inputs?: Inputs
}

/** A screen of requests (decision 045): each kind has a form of its own, and is offered to whoever may ask for it. */
export function RequestPage<S extends Shape>({
  resource: declared,
  workflow,
  requests,
  inputs = {},
}: RequestPageProps<S>) {
  const resource: Resource = declared
  const user = useUser()
  const kinds = Object.keys(requests.kinds).filter(kind => {
    const right = requests.kinds[kind]?.by
    return right && mayDo(user, right.page, right.action)
  })
  const mayAsk = kinds.length > 0
  const listed = useMemo(
    () => (mayAsk ? resource : { ...resource, actions: resource.actions.filter(action => action !== 'create') }),
    [resource, mayAsk],
  )
  const offered = withInput(resource, { kind: choice(tonesOf(resource, kinds)) })
  return (
    <ListPage
      resource={listed}
      workflow={workflow}
      inputs={{ ...inputs, kind: offering(kinds, () => <FieldInput resource={offered} field="kind" />) }}
      isShown={(field, entered) => isAsked(requests, field, entered) && 'required'}
    />
  )
}

function tonesOf(resource: Resource, kinds: readonly string[]): Record<string, Tone> {
  const meta = metaOf(resource, 'kind')
  return meta.kind === 'choice' ? Object.fromEntries(kinds.map(kind => [kind, meta.tones[kind] ?? 'idle'])) : {}
}
