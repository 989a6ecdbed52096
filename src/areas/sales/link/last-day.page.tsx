import { useQuery } from '@tanstack/react-query'
import { get } from '#kit/page/call.ts'
import { FieldInput, type InputProps } from '#kit/page/field/input.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { Terms } from './discounts.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** The last day of a link, with how long its price can be locked: said before a day is chosen that would be refused. */
export function LastDay(control: InputProps<string>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'terms'],
    queryFn: ({ signal }) => get<Terms>(`/${resource.screen.name}/terms`, { signal }),
  })
  return (
    <>
      <FieldInput resource={resource} field="expiresOn" {...control} />
      {data && <div className="inkstone-note">{say('lock-most', { days: data.mostDays })}</div>}
    </>
  )
}
