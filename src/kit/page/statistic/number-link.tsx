import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'
import type { Shown } from './use-statistic.ts'

type Props = { shown: Shown; path: string | undefined; name: string; value: string }

/** A number that leads to the rows it is made of; a plain one where nobody, or no list, can show them. */
export function NumberLink({ shown, path, name, value }: Props) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  if (path === undefined || value === '–') return <span>{value}</span>
  return (
    <a
      href={`#${path}`}
      aria-label={kit('rows', { name, value })}
      onClick={event => {
        // With a key held, the browser opens a window of its own.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        shown.open(path)
      }}
    >
      {value}
    </a>
  )
}
