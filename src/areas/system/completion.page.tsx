import type { TextAreaRef } from 'antd/es/input/TextArea'
import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Completion, Offer } from '#engines/rule/completion.model.ts'
import { NODE_TYPES, type NodeType } from '#engines/rule/form.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { useTexts } from '#kit/page/language.ts'
import './completion.css'

type Text = {
  readonly area: RefObject<TextAreaRef | null>
  readonly value: string
  change(source: string): void
  /** What may stand at a place of the text. */
  complete(source: string, caret: number): Completion | undefined
}

/** Offers what the text may go on with: while a word is typed, or with Ctrl and the space bar. */
export function useCompletion({ area, value, change, complete }: Text) {
  const list = useId()
  const [asked, setAsked] = useState<{ readonly source: string; readonly at: number }>()
  const [active, setActive] = useState(0)
  const [below, setBelow] = useState(0)
  // Names that come later are offered as well; a text that was changed otherwise is another.
  const offered = asked?.source === value ? complete(value, asked.at) : undefined
  const caret = useRef<number>(undefined)
  useLayoutEffect(function followWord() {
    if (caret.current === undefined) return
    area.current?.resizableTextArea?.textArea.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })
  const close = (): void => setAsked(undefined)
  const look = (source: string, at: number): void => {
    setAsked({ source, at })
    setActive(0)
    setBelow(lineEnd(area.current?.resizableTextArea?.textArea, source.slice(0, at)))
  }
  const take = ({ text }: Offer): void => {
    if (!offered) return
    caret.current = offered.from + text.length
    change(value.slice(0, offered.from) + text + value.slice(offered.to))
    close()
  }
  const answer = (key: string): void => {
    const options = offered?.options ?? []
    const chosen = options[active]
    if (key === 'ArrowDown') setActive((active + 1) % options.length)
    else if (key === 'ArrowUp') setActive((active + options.length - 1) % options.length)
    else if (key === 'Escape' || !chosen) close()
    else take(chosen)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // The keys of an input method choose among its own words.
    if (event.nativeEvent.isComposing) return
    const isAsked = event.ctrlKey && event.key === ' '
    const isOurs = isAsked || (offered !== undefined && KEYS.has(event.key) && !event.ctrlKey && !event.metaKey)
    if (!isOurs) return
    event.preventDefault()
    // The drawer around it would take Escape for its own.
    event.stopPropagation()
    if (isAsked) look(value, event.currentTarget.selectionStart)
    else answer(event.key)
  }
  /** What was typed last tells whether a word is under way. */
  const typed = (source: string, at: number): void =>
    /[\p{L}\p{N}_$."']/u.test(source[at - 1] ?? '') ? look(source, at) : close()
  const input = {
    // A text of many lines stays what it is: no combobox has more than one.
    'aria-autocomplete': 'list' as const,
    'aria-haspopup': 'listbox' as const,
    'aria-controls': list,
    ...(offered && { 'aria-activedescendant': `${list}-${active}` }),
    onKeyDown,
    onBlur: close,
    // What is offered belongs to where the caret stood.
    onSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>): void => {
      if (asked && currentTarget.selectionStart !== asked.at) close()
    },
  }
  return { input, typed, offers: { list, options: offered?.options ?? [], active, below, onTake: take } }
}

const KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape'])

type OffersProps = ReturnType<typeof useCompletion>['offers']

const isNode = (kind: Offer['kind']): kind is NodeType => (NODE_TYPES as readonly string[]).includes(kind)

/** How far below the top of the text its last line ends. */
function lineEnd(text: HTMLTextAreaElement | undefined, before: string): number {
  if (!text) return 0
  const { lineHeight, paddingTop } = getComputedStyle(text)
  const end = before.split('\n').length * Number.parseInt(lineHeight, 10) + Number.parseInt(paddingTop, 10)
  return Math.min(end - text.scrollTop, text.clientHeight) || 0
}

const bringIntoSight = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' })

export function Offers({ list, options, active, below, onTake }: OffersProps) {
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  return (
    <div
      id={list}
      role="listbox"
      aria-label={rule('completions')}
      className="rule-offers"
      hidden={options.length === 0}
      style={{ insetBlockStart: below }}
    >
      {options.map((offer, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text it belongs to.
        <div
          key={`${offer.kind} ${offer.text}`}
          id={`${list}-${place}`}
          {...(place === active && { ref: bringIntoSight })}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          // The text keeps the focus.
          onMouseDown={event => event.preventDefault()}
          onClick={() => onTake(offer)}
        >
          <strong>{offer.text}</strong> {offer.about}{' '}
          {isNode(offer.kind) && <small>{rule(`slot.${offer.kind}`)}</small>}
        </div>
      ))}
    </div>
  )
}
