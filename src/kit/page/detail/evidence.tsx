import { lazy, Suspense } from 'react'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { headOf } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { Shows } from './detail-types.ts'
import { Fact } from './facts.tsx'
import { read } from './fields.ts'

const Sent = lazy(async () => ({ default: (await import('../field/files.tsx')).Sent }))

type Props = { resource: Resource; shows: Shows; row: Row; fields: readonly string[] }

/** What a decision is made by, beside it: pictures large enough to be read, calculations, what was written. */
export function Evidence({ resource, fields, ...props }: Props) {
  const say = useTexts(resource.screen.name)
  return fields.map(field => {
    const meta = metaOf(resource, field)
    return (
      <section key={field} className="inkstone-evidence">
        <h2>{headOf(resource, field, say(`field.${field}`))}</h2>
        {meta.kind === 'files' ? (
          <Suspense>
            <Sent purpose={meta.purpose} ids={read(props.row, field) as string[]} large />
          </Suspense>
        ) : (
          <Fact resource={resource} field={field} {...props} />
        )}
      </section>
    )
  })
}
