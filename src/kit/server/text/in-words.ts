import type { Language } from '#kit/model/language.ts'
import type { Refusal } from '#kit/model/refusal.ts'
import type { Texts } from './texts.ts'

/** What a refusal says, without the title that stands above it. */
export function inWords(
  { texts }: { readonly texts: Texts },
  language: Language,
  namespace: string,
  refusal: Refusal,
): string {
  const said = texts.refusal(language, namespace, 'title-rule', refusal)
  return said.slice(said.indexOf(': ') + 2)
}
