import type { Dispatch } from 'react'
import { criteriaOf } from '#areas/members/work/comment.model.ts'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { type Deed, type Judging, nextCriterion, PHRASE_KEYS, pointsOf } from '#areas/members/work/desk-state.model.ts'
import type { Phrase } from '#engines/phrase/model.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { type Look, lookAfter } from './easel.page.tsx'
import { done, isAside, useKeydown, usePresses } from './use-presses.page.tsx'

type Keys = {
  work: DeskWork
  judging: Judging
  phrases: readonly Phrase[]
  look: Look
  onDeed: Dispatch<Deed>
  onLook(look: Look): void
  onCompare(): void
  onTurnOver(): void
  /** Nothing where nothing is suggested. */
  onAccept: (() => void) | undefined
  onSend(): void
  onNext(): void
}

/** What is said of a work by keyboard; in a text field of the desk only sending is a key of ours. */
export function useKeys(keys: Keys): void {
  const { work, judging, phrases, look, onDeed, onLook, onCompare, onTurnOver, onAccept, onSend, onNext } = keys
  const faults = useDictionary('WORK_FAULT').filter(({ enabled }) => enabled)
  useKeydown(({ key, ctrlKey, metaKey, repeat, target }) => {
    const isSent = key === 'Enter' && (ctrlKey || metaKey) && !repeat && !isAside(target)
    return isSent && done(onSend)
  })
  usePresses(key => {
    const points = pointsOf(key)
    const fault = points === undefined ? undefined : faults[points - 1]?.v
    const { chosen } = judging
    const criteria = criteriaOf(work.kind)
    if (chosen !== null && fault !== undefined) return done(() => onDeed({ do: 'blame', at: chosen, fault }))
    if (chosen !== null && key === 'delete') return done(() => onDeed({ do: 'remove', at: chosen }))
    if (key === 'escape' && chosen !== null) return done(() => onDeed({ do: 'choose', at: null }))
    if (key === ',' || key === '.') return done(() => onDeed({ do: 'turn', by: key === '.' ? 1 : -1 }))
    if (key === 'backspace') return done(() => onDeed({ do: 'unscore', of: criteria }))
    const criterion = nextCriterion(criteria, judging)
    if (points !== undefined && criterion) return done(() => onDeed({ do: 'score', criterion, points }))
    const phrase = phrases[PHRASE_KEYS.indexOf(key as (typeof PHRASE_KEYS)[number])]?.words
    if (phrase !== undefined) return done(() => onDeed({ do: 'say', phrase }))
    if (key === 'c') return done(onCompare)
    if (key === 'p') return done(onTurnOver)
    if (key === 'a' && onAccept) return done(onAccept)
    if (key === 'n') return done(onNext)
    const after = work.video === null ? lookAfter(key, look) : undefined
    return after !== undefined && done(() => onLook(after))
  })
}
