import { MISSING } from '#kit/page/field/show.tsx'
import type { IsShown } from '#kit/page/form/inputs.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { hasNeverBegun, type Price, resource, workflow } from './model.ts'

export function Page() {
  return <ListPage resource={resource} workflow={workflow} isShown={isShown} shows={{ validTo: showEnd }} />
}

const showEnd = (row: Price) => (row.validTo === null ? MISSING : <End row={row} />)

/** The last day, and that there never was a first one where there was none. */
function End({ row }: { row: Price }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return hasNeverBegun(row) ? say('never-begun', { day: String(row.validTo) }) : row.validTo
}

/** A share of what was paid, or a price for each; who registers does so at once. */
const isShown: IsShown = (field, { kind }) => {
  if (field === 'sharePermille') return kind === 'SHARE' && 'required'
  if (field === 'priceFen') return kind !== undefined && kind !== 'SHARE' && 'required'
  if (field === 'windowDays') return kind !== undefined && kind !== 'REGISTERED'
  return true
}
