import { type Dispatch, useEffect, useReducer } from 'react'
import { dropDraft, readDraft, writeDraft } from '#kit/page/draft.ts'
import { useTab } from '#kit/page/tab.ts'
import { useUser } from '#kit/page/user.ts'
import type { Said } from './comment.model.ts'
import { type Deed, isEmpty, type Judging, judge, NOTHING_SAID } from './desk-state.model.ts'
import { resource } from './model.ts'

const placeOf = (person: string, workId: string) => ({
  person,
  route: resource.screen.route,
  what: `comment ${workId}`,
})

/** What was taken back is there when its work is opened again, and nowhere else. */
export const keepSaid = (person: string, workId: string, { marks, scores, words }: Said): void =>
  writeDraft(placeOf(person, workId), {
    at: Date.now(),
    version: 1,
    base: {},
    values: { marks, scores, words },
    left: [],
  })

/** What is said of one work, kept until it is sent: past a reload, a lost hold and a lost network. */
export function useJudging(workId: string): [Judging, Dispatch<Deed>, () => void] {
  const person = useUser(({ info }) => info?.id ?? '')
  const tab = useTab()
  const place = placeOf(person, workId)
  const [judging, onDeed] = useReducer(judge, undefined, () => ({
    ...NOTHING_SAID,
    ...(readDraft(place)?.values as Partial<Judging> | undefined),
    chosen: null,
  }))
  const { marks, scores, words } = judging
  const isKept = !isEmpty(judging)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is told by the work and the person
  useEffect(
    function keepWhatIsSaid() {
      if (isKept) keepSaid(person, workId, { marks: [...marks], scores, words })
      tab.setUnsaved(isKept)
    },
    [workId, person, marks, scores, words, isKept],
  )
  const forget = () => {
    dropDraft(place)
    onDeed({ do: 'begin', with: NOTHING_SAID })
    tab.setUnsaved(false)
  }
  return [judging, onDeed, forget]
}
