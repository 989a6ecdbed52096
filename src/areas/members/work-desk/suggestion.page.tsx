import { Button, Tag } from 'antd'
import type { Dispatch } from 'react'
import { criteriaOf, type Kind } from '#areas/members/work/comment.model.ts'
import type { Deed } from '#areas/members/work/desk-state.model.ts'
import {
  markOf,
  type ReadCharacter,
  type Suggestion,
  type Worst,
  worstOf,
} from '#areas/members/work/suggestion.model.ts'
import type { locale as handwriting } from '#engines/handwriting/locale.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'

/** What is wrong with a character, in words. */
function useReasons(): (reasons: ReadCharacter['reasons']) => string {
  const say = useTexts<typeof handwriting>('engines/handwriting')
  return reasons =>
    reasons
      .map(({ code, value, like }) => (like === undefined ? say(`reason.${code}`, { value }) : say('like', { like })))
      .join(' · ')
}

/** What was measured of it, in words. */
function useFigures(): (figures: ReadCharacter['figures']) => string {
  const say = useTexts<typeof handwriting>('engines/handwriting')
  return figures => (figures === undefined ? '' : say('figures', figures))
}

/** What accepting the suggestion does: its points, and a box around the worst characters. */
export function useAccepting(suggestion: Suggestion | undefined, onDeed: Dispatch<Deed>): (() => void) | undefined {
  const faults = useDictionary('WORK_FAULT').flatMap(({ v, enabled }) => (enabled ? [v] : []))
  if (!suggestion?.scores) return undefined
  const { scores } = suggestion
  return () => onDeed({ do: 'accept', scores, marks: worstOf(suggestion).map(one => markOf(one, faults)) })
}

type Props = { kind: Kind; suggestion: Suggestion | undefined; onDeed: Dispatch<Deed> }

/** What the scorer makes of the work. It suggests; whoever looks at it decides. */
export function SuggestionPanel({ kind, suggestion, onDeed }: Props) {
  const say = useTexts<typeof locale>('members/work-desk')
  const faultText = useTexts<typeof handwriting>('engines/handwriting')
  const accept = useAccepting(suggestion, onDeed)
  if (!suggestion) return <p className="inkstone-note">{say('desk.reading')}</p>
  const { scores, score, pages } = suggestion
  const faults = [...new Set(pages.flatMap(({ fault }) => (fault === null ? [] : [fault])))]
  return (
    <section aria-label={say('desk.suggestion')}>
      <h2>
        {say('desk.suggestion')}
        {score !== null && <strong className="work-total">{say('desk.total', { score })}</strong>}
      </h2>
      {faults.map(fault => (
        <p key={fault} className="inkstone-note">
          {faultText(fault as keyof (typeof handwriting)['zh-CN'])}
        </p>
      ))}
      {scores && accept && (
        <div className="work-suggested">
          <span>
            {criteriaOf(kind)
              .map(name => `${say(`criterion.${name}`)} ${scores[name]}`)
              .join(' · ')}
          </span>
          <Button size="small" onClick={accept}>
            {say('desk.accept')} <kbd>A</kbd>
          </Button>
        </div>
      )}
      <WorstCharacters suggestion={suggestion} onDeed={onDeed} />
    </section>
  )
}

/** Each can be marked by itself. */
function WorstCharacters({ suggestion, onDeed }: { suggestion: Suggestion; onDeed: Dispatch<Deed> }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const [reasonsOf, figuresOf] = [useReasons(), useFigures()]
  const faults = useDictionary('WORK_FAULT').flatMap(({ v, enabled }) => (enabled ? [v] : []))
  const worst = worstOf(suggestion)
  if (worst.length === 0) return suggestion.scores ? <p className="inkstone-note">{say('desk.all-well')}</p> : null
  const mark = (one: Worst) => onDeed({ do: 'draw', mark: markOf(one, faults) })
  return (
    <ul className="work-worst">
      {worst.map(one => (
        <li key={`${one.picture} ${one.box?.left} ${one.box?.top}`}>
          <Button size="small" aria-label={say('desk.mark-character', { char: one.char })} onClick={() => mark(one)}>
            {one.char}
          </Button>
          {one.score !== null && <Tag>{one.score}</Tag>}
          <span title={figuresOf(one.figures)}>{reasonsOf(one.reasons)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Below this a character is in need of practice. */
const WEAK = 70

/** The numbers, on the picture: each character in a box with its score, those in need of practice in red. */
export function Readings({ characters, unit }: { characters: readonly ReadCharacter[]; unit: number }) {
  const [reasonsOf, figuresOf] = [useReasons(), useFigures()]
  return (
    <g className="work-readings" strokeWidth={unit * 0.2}>
      {characters.map(({ char, box, score, figures, reasons }) =>
        box === null ? null : (
          <g
            key={`${box.left} ${box.top}`}
            className={score === null || score < WEAK ? 'work-reading-weak' : undefined}
          >
            <title>{[char, score, reasonsOf(reasons), figuresOf(figures)].filter(Boolean).join(' · ')}</title>
            <rect
              x={box.left}
              y={box.top}
              width={box.right - box.left}
              height={box.bottom - box.top}
              fill="transparent"
            />
            <text x={box.right} y={box.top - unit * 0.4} fontSize={unit * 2.2} textAnchor="end">
              {score ?? '✗'}
            </text>
          </g>
        ),
      )}
    </g>
  )
}
