import type { IsShown } from '#kit/page/form/inputs.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { resource, workflow } from './model.ts'

export function Page() {
  return <ListPage resource={resource} workflow={workflow} isShown={isShown} />
}

/** A share of what was paid, or a price for each; who registers does so at once. */
const isShown: IsShown = (field, { kind }) => {
  if (field === 'sharePermille') return kind === 'SHARE' && 'required'
  if (field === 'priceFen') return kind !== undefined && kind !== 'SHARE' && 'required'
  if (field === 'windowDays') return kind !== undefined && kind !== 'REGISTERED'
  return true
}
