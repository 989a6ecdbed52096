import { Dropdown } from 'antd'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'
import type { Link, Shown } from './use-statistic.ts'

type Props = { shown: Shown; links: readonly Link[]; name: string; value: string; tabIndex?: number }

/**
 * A number that leads to the rows it is made of; a plain one where nobody, or no list, can show them. What is reckoned from
 * several lists offers each by its name.
 */
export function NumberLink({ shown, links, name, value, tabIndex }: Props) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const [first] = links
  if (!first || value === '–') return <span>{value}</span>
  const label = kit('rows', { name, value })
  if (links.length > 1) {
    const items = links.map(({ measure, path }) => ({
      key: path,
      label: say(`measure.${measure}`),
      onClick: () => shown.open(path),
    }))
    return (
      <Dropdown menu={{ items }} trigger={['click']}>
        <button type="button" className="ink-number" aria-label={label} aria-haspopup="menu" tabIndex={tabIndex}>
          {value}
        </button>
      </Dropdown>
    )
  }
  return (
    <a
      href={`#${first.path}`}
      aria-label={label}
      tabIndex={tabIndex}
      onClick={event => {
        // With a key held, the browser opens a window of its own.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        shown.open(first.path)
      }}
    >
      {value}
    </a>
  )
}
