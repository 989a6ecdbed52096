import { onField, refuse } from '#kit/model/refusal.ts'

/** What a run is to know is an object of JSON; nothing at all is nothing known. */
export function factsOf(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {}
  try {
    const facts: unknown = JSON.parse(text)
    if (typeof facts === 'object' && facts !== null && !Array.isArray(facts)) return { ...facts }
  } catch {
    // Said below, as for whatever else is no object.
  }
  throw onField('facts', refuse('system/rule-script:not-json', { example: '{"amount": 12000}' }))
}
