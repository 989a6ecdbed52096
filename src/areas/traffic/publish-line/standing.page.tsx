import { dayOf } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type PublishLine, resource, STANDINGS, standing } from './model.ts'

/** How a day went beside its plan, in a word. */
export function Standing({ of: line }: { of: Pick<PublishLine, 'day' | 'planned' | 'published'> }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const stands = standing(line, dayOf(new Date()))
  return <StateTag tone={STANDINGS[stands]}>{say(`standing.${stands}`)}</StateTag>
}
