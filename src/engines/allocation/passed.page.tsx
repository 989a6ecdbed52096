import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { Passed as PassedOver } from './model.ts'

type Named = PassedOver & { readonly name?: string | undefined }

/** Who did not get it, and why. */
export function Passed({ passed }: { passed: readonly Named[] }) {
  const say = useTexts<typeof locale>('engines/allocation')
  if (passed.length === 0) return <span className="inkstone-note">{say('passed-none')}</span>
  return (
    <>{passed.map(({ name = '', why }) => say('passed', { name, why: say(`why.${why}`) })).join(say('passed-and'))}</>
  )
}
