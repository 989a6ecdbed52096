import { DeleteOutlined } from '@ant-design/icons'
import { Button, Input, Rate, Select } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type Dispatch, useRef } from 'react'
import {
  criteriaOf,
  isScored,
  type Kind,
  MAX_MARK_WORDS,
  MAX_POINTS,
  MAX_WORDS,
  scoreOf,
} from '#areas/members/work/comment.model.ts'
import { clockOf, type Deed, type Judging, nextCriterion, PHRASE_KEYS } from '#areas/members/work/desk-state.model.ts'
import type { Phrase } from '#engines/phrase/model.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { useTexts } from '#kit/page/language.ts'
import { useDeskScreen, useScreenTexts } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'
import { done, usePresses } from './use-presses.page.tsx'

type Props = {
  kind: Kind
  isFilm: boolean
  judging: Judging
  phrases: readonly Phrase[]
  onDeed: Dispatch<Deed>
}

/** Where the words of a mark are typed; both desks may be open at once. */
const wordsOf = (screen: string, at: number): string => `work-mark-words-${screen}-${at}`

/** Leads to where the words of the mark that is meant are typed; nothing while none is. */
export function useMarkWords({ chosen }: Pick<Judging, 'chosen'>): (() => void) | undefined {
  const { name } = useDeskScreen()
  return chosen === null ? undefined : () => document.getElementById(wordsOf(name, chosen))?.focus()
}

/** Points, marks and what is often said: what a comment is made of before it is written. */
export function JudgingPanel({ kind, isFilm, judging, phrases, onDeed }: Props) {
  const say = useTexts<typeof locale>('members/work-desk')
  return (
    <>
      <section aria-label={say('desk.score')}>
        <h2>
          {say('desk.score')}
          {isScored(kind, judging.scores) && (
            <strong className="work-total">{say('desk.total', { score: scoreOf(kind, judging.scores) })}</strong>
          )}
        </h2>
        <Criteria kind={kind} judging={judging} onDeed={onDeed} />
      </section>
      <Marks isFilm={isFilm} judging={judging} onDeed={onDeed} />
      <section aria-label={say('desk.phrases')}>
        <h2>{say('desk.phrases')}</h2>
        <div className="work-phrases">
          {phrases.map(({ code, words }, at) => (
            <Button key={code} size="small" onClick={() => onDeed({ do: 'say', phrase: words })}>
              {PHRASE_KEYS[at] && <kbd>{PHRASE_KEYS[at]?.toUpperCase()}</kbd>}
              <span>{words}</span>
            </Button>
          ))}
        </div>
      </section>
    </>
  )
}

/** Where a key leads, and Escape leads away from. */
export function Words({ words, onWords }: { words: string; onWords(words: string): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const sayOfScreen = useScreenTexts()
  const field = useRef<TextAreaRef>(null)
  usePresses(key => key === 'f' && done(() => field.current?.focus({ cursor: 'end' })))
  return (
    <Input.TextArea
      ref={field}
      aria-label={sayOfScreen('field.words')}
      placeholder={say('desk.words-hint')}
      value={words}
      maxLength={MAX_WORDS}
      autoSize={{ minRows: 2, maxRows: 6 }}
      onChange={({ target }) => onWords(target.value)}
      onKeyDown={({ key, nativeEvent: { isComposing } }) => {
        if (key === 'Escape' && !isComposing) field.current?.blur()
      }}
    />
  )
}

/** The mark the next digit is about stands out, and in sight. */
const CHOSEN = {
  className: 'work-marks-chosen',
  ref: (mark: HTMLElement | null): void => mark?.scrollIntoView?.({ block: 'nearest' }),
}

function Marks({ isFilm, judging: { marks, chosen }, onDeed }: Omit<Props, 'kind' | 'phrases'>) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { name } = useDeskScreen()
  const write = useMarkWords({ chosen })
  const faults = useDictionary('WORK_FAULT').filter(({ enabled }) => enabled)
  return (
    <section aria-label={say('desk.marks')}>
      <h2>{say('desk.marks')}</h2>
      {marks.length === 0 && <p className="inkstone-note">{say(isFilm ? 'desk.no-moments' : 'desk.no-marks')}</p>}
      <ol className="work-marks">
        {marks.map((mark, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: marks are told apart by their place alone
          <li key={at} {...(at === chosen && CHOSEN)}>
            <Button
              size="small"
              aria-label={say('desk.mark', { number: at + 1 })}
              onClick={() => (at === chosen ? write?.() : onDeed({ do: 'choose', at }))}
            >
              {mark.second === undefined ? at + 1 : clockOf(mark.second)}
            </Button>
            <Select
              size="small"
              aria-label={say('desk.mark', { number: at + 1 })}
              placeholder={say('desk.fault')}
              value={mark.fault}
              onChange={value => onDeed({ do: 'blame', at, fault: value ?? null })}
              options={faults.map(({ k, v }, nth) => ({ value: v, label: nth < 9 ? `${nth + 1} ${k}` : k }))}
              popupMatchSelectWidth={false}
            />
            <Button
              size="small"
              type="text"
              aria-label={say('desk.remove', { number: at + 1 })}
              icon={<DeleteOutlined />}
              onClick={() => onDeed({ do: 'remove', at })}
            />
            <Input
              id={wordsOf(name, at)}
              size="small"
              aria-label={say('desk.mark-words', { number: at + 1 })}
              placeholder={say('desk.mark-words', { number: at + 1 })}
              value={mark.words}
              maxLength={MAX_MARK_WORDS}
              onChange={({ target }) => onDeed({ do: 'note', at, words: target.value })}
              onKeyDown={({ key, ctrlKey, metaKey, currentTarget, nativeEvent: { isComposing } }) => {
                // Enter that chooses a character among those that sound alike ends nothing.
                if ((key !== 'Enter' && key !== 'Escape') || ctrlKey || metaKey || isComposing) return
                // What is said of the mark is said: the next digit gives points again.
                currentTarget.blur()
                onDeed({ do: 'choose', at: null })
              }}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Criteria({ kind, judging, onDeed }: Omit<Props, 'isFilm' | 'phrases'>) {
  const say = useTexts<typeof locale>('members/work-desk')
  const criteria = criteriaOf(kind)
  const next = judging.chosen === null ? nextCriterion(criteria, judging) : undefined
  return (
    <ul className="work-criteria">
      {criteria.map(name => (
        <li key={name} className={name === next ? 'work-criterion-next' : undefined}>
          <span id={`criterion-${name}`}>{say(`criterion.${name}`)}</span>
          <Rate
            aria-labelledby={`criterion-${name}`}
            count={MAX_POINTS}
            value={judging.scores[name] ?? 0}
            onChange={points => onDeed({ do: 'score', criterion: name, points })}
          />
          <span className="inkstone-figure">{judging.scores[name] ?? '–'}</span>
        </li>
      ))}
    </ul>
  )
}
