import { useEffect, useRef } from 'react'
import { useTexts } from '../../language.ts'
import { StateTag } from '../../tone.tsx'
import type { locale } from './locale.ts'
import { type Entry, SECTIONS } from './search.ts'
import type { RecordEntry } from './use-entries.ts'

type Props = {
  id: string
  entries: readonly (Entry | RecordEntry)[]
  at: number
  onChoose(entry: Entry): void
}

/** What was found, under a heading for each kind; the arrow keys go through all of it. */
export function FoundList({ id, entries, at, onChoose }: Props) {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  const list = useRef<HTMLDivElement>(null)
  useEffect(
    function keepInView() {
      // The heading of the first entry comes along.
      if (at === 0) list.current?.scrollTo({ top: 0 })
      else list.current?.querySelector(`#${CSS.escape(`${id}-${at}`)}`)?.scrollIntoView({ block: 'nearest' })
    },
    [id, at],
  )
  const shown = entries.map((entry, index) => ({ entry, index }))
  return (
    <div ref={list} id={id} className="ink-found" role="listbox" aria-label={say('palette')}>
      {SECTIONS.map(section => {
        const part = shown.filter(({ entry }) => entry.section === section)
        if (part.length === 0) return null
        return (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, which no fieldset holds
          <div key={section} role="group" aria-labelledby={`${id}-${section}`}>
            <div id={`${id}-${section}`} className="ink-found-section">
              {say(`section.${section}`)}
            </div>
            {part.map(({ entry, index }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
              <div
                key={entry.key}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                className="ink-found-entry"
                onClick={() => onChoose(entry)}
              >
                <Line entry={entry} />
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}

function Line({ entry }: { entry: Entry | RecordEntry }) {
  const found = 'found' in entry ? entry.found : undefined
  return (
    <>
      <div>
        <span className="ink-found-title">{entry.title}</span>
        {found?.state && <StateTag tone={found.state.tone}>{found.state.text}</StateTag>}
        <small>{entry.group}</small>
      </div>
      {found && found.facts.length > 0 && <div className="ink-found-facts">{found.facts.join(' · ')}</div>}
    </>
  )
}
