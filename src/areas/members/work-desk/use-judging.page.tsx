import { type Dispatch, useEffect, useReducer } from 'react'
import type { Said } from '#areas/members/work/comment.model.ts'
import { type Deed, isEmpty, type Judging, judge, NOTHING_SAID } from '#areas/members/work/desk-state.model.ts'
import type { Screen } from '#kit/model/area.ts'
import { draftsOn, dropDraft, readDraft, writeDraft } from '#kit/page/draft.ts'
import { useTab } from '#kit/page/tab.ts'
import { useUser } from '#kit/page/user.ts'
import { useDeskScreen } from './desk-screen.page.tsx'

const COMMENT = 'comment '

/** Where what somebody says of a work is kept until it is sent. */
export const placeOf = (person: string, { route }: Pick<Screen, 'route'>, workId: string) => ({
  person,
  route,
  what: `${COMMENT}${workId}`,
})
type Place = ReturnType<typeof placeOf>

/** The works of a desk of which this person has said something that was not sent. */
export const unsentOf = (person: string, { route }: Pick<Screen, 'route'>): string[] =>
  draftsOn({ person, route }).flatMap(what => (what.startsWith(COMMENT) ? [what.slice(COMMENT.length)] : []))

/** What was taken back is there when its work is opened again, and nowhere else. */
export const keepSaid = (place: Place, { marks, scores, words, voice }: Said): void =>
  writeDraft(place, {
    at: Date.now(),
    version: 1,
    base: {},
    values: { marks, scores, words, voice },
    left: [],
  })

/** What is said of one work, kept until it is sent: past a reload, a lost hold and a lost network. */
export function useJudging(workId: string): [Judging, Dispatch<Deed>, () => void] {
  const person = useUser(({ info }) => info?.id ?? '')
  const tab = useTab()
  const place = placeOf(person, useDeskScreen(), workId)
  const [judging, onDeed] = useReducer(judge, undefined, () => ({
    ...NOTHING_SAID,
    ...(readDraft(place)?.values as Partial<Judging> | undefined),
    chosen: null,
  }))
  const { marks, scores, words, voice } = judging
  const isKept = !isEmpty(judging)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is told by the work and the person
  useEffect(
    function keepWhatIsSaid() {
      if (isKept) keepSaid(place, { marks: [...marks], scores, words, voice: [...voice] })
      tab.setUnsaved(isKept)
    },
    [workId, person, marks, scores, words, voice, isKept],
  )
  const forget = () => {
    dropDraft(place)
    onDeed({ do: 'begin', with: NOTHING_SAID })
    tab.setUnsaved(false)
  }
  return [judging, onDeed, forget]
}
