import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { PassedOver } from './rules.model.ts'

/** Who did not get it, and why. */
export function Passed({ passed }: { passed: readonly PassedOver[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (passed.length === 0) return <span className="inkstone-note">{say('passed-none')}</span>
  return <>{passed.map(({ name = '', why }) => say('passed', { name, why: say(`why.${why}`) })).join('；')}</>
}
