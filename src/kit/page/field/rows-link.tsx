import type { Screen } from '#kit/model/area.ts'
import { mayDo, useUser } from '../user.ts'

type Props = {
  /** The list that shows the rows a number is made of. */
  readonly list: Pick<Screen, 'route' | 'key'>
  readonly query: Readonly<Record<string, string>>
  /** What the number counts. */
  readonly name: string
  readonly value: string
}

/** A number that leads to its rows; a plain one for whoever may not list them. */
export function RowsLink({ list: { route, key }, query, name, value }: Props) {
  const may = useUser(user => key !== null && mayDo(user, key, 'list'))
  if (!may || value === '0') return value
  return (
    <a href={`#${route}?${new URLSearchParams(query)}`} aria-label={`${name} ${value}`}>
      {value}
    </a>
  )
}
