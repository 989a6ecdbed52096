import { lazy, memo, Suspense } from 'react'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import type { Row } from '../list/list-state.ts'
import { mayDo, useUser } from '../user.ts'
import { isMaskedNote, isMissing, Show } from './show.tsx'

// With the first masked value somebody may see.
const Reveal = lazy(async () => ({ default: (await import('./reveal.tsx')).Reveal }))

type Props = { resource: Resource; field: string; row: Row; brief?: boolean }

/**
 * One value the way people read it, and where it is masked the way to see more of it, for whoever may. A table draws all its
 * cells anew with every change of its widths: what stands in them is drawn once.
 */
export const Maskable = memo(function Maskable({ resource, field, row, brief = false }: Props) {
  const mayReveal = useUser(user => mayDo(user, resource.screen.key, 'reveal')) && resource.actions.includes('reveal')
  const show = <Show resource={resource} field={field} row={row} brief={brief} />
  if (!mayReveal || !isMasked(resource, field, row)) return show
  return (
    <Suspense fallback={show}>
      <Reveal key={row.id} resource={resource} field={field} row={row} />
    </Suspense>
  )
})

function isMasked(resource: Resource, field: string, row: Row): boolean {
  if (isMissing((row as Record<string, unknown>)[field])) return false
  const { kind } = metaOf(resource, field)
  const label = row.labels[field]
  return kind === 'personal' || (kind === 'reference' && label !== undefined && isMaskedNote(label))
}
