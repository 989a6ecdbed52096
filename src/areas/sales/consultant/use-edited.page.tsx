import { useState } from 'react'
import { MAX_RULES, type RuleSet } from '#engines/allocation/rule.model.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { blankRule } from './rule-editor.page.tsx'
import type { AllocationView } from './rules.model.ts'

type Edited = { readonly set: RuleSet; readonly chosen: string | undefined }

/** The rules as they are edited, which of them is open, and what of the window is looked at. */
export function useEdited(view: AllocationView, isMending: boolean) {
  const say = useTexts<typeof locale>(resource.screen.name)
  /** One more rule at the end, for what the others leave; who gets it is to be said. */
  const withRest = (set: RuleSet): Edited => {
    if (set.rules.length >= MAX_RULES) return { set, chosen: set.rules.at(-1)?.key }
    const rest = blankRule(say('rule-rest'))
    return { set: { ...set, rules: [...set.rules, rest] }, chosen: rest.key }
  }
  const [{ set, chosen }, edit] = useState<Edited>(() =>
    isMending ? withRest(view.set) : { set: view.set, chosen: view.set.rules[0]?.key },
  )
  const [tab, show] = useState('rules')
  return {
    ...{ set, chosen, tab, show },
    change: (next: RuleSet) => edit(before => ({ ...before, set: next })),
    choose: (key: string | undefined) => edit(before => ({ ...before, chosen: key })),
    mend: () => {
      edit(before => withRest(before.set))
      show('rules')
    },
  }
}
