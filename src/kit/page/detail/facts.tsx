import { Button } from 'antd'
import { useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { Maskable } from '../field/maskable.tsx'
import { headOf, isMissing } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { Shows } from './detail-types.ts'
import { isWide, type Placed, read } from './fields.ts'
import type { locale } from './locale.ts'

type Props = { resource: Resource; shows: Shows; row: Row }

/** One value as the slice shows it, else as it is shown anywhere. */
export const Fact = ({ resource, shows, row, field }: Props & { field: string }) =>
  (!isMissing(read(row, field)) && shows[field]?.(row as never)) || (
    <Maskable resource={resource} field={field} row={row} />
  )

/** Facts side by side, each below its name. */
export function FactList({ fields, main = false, ...props }: Props & { fields: readonly string[]; main?: boolean }) {
  const say = useTexts(props.resource.screen.name)
  if (fields.length === 0) return null
  return (
    <dl className={main ? 'inkstone-facts inkstone-facts-main' : 'inkstone-facts'}>
      {fields.map(field => (
        <div key={field} className={isWide(props.resource, field) ? 'inkstone-fact-wide' : undefined}>
          <dt>{headOf(props.resource, field, say(`field.${field}`))}</dt>
          <dd>
            <Fact {...props} field={field} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** All that is known besides; what has no value is named on demand. */
export function OtherFacts({ others, empty, ...props }: Props & Pick<Placed, 'others' | 'empty'>) {
  const say = useTexts<typeof locale>('kit/page/detail')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FactList {...props} fields={isOpen ? [...others, ...empty] : others} />
      {empty.length > 0 && (
        <Button type="link" size="small" className="inkstone-empty-fields" onClick={() => setOpen(!isOpen)}>
          {isOpen ? say('hide-empty') : say('show-empty', { count: empty.length })}
        </Button>
      )}
    </>
  )
}
