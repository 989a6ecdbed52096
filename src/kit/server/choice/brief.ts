import type { Found } from '#kit/model/found.ts'
import type { Language } from '#kit/model/language.ts'
import { figureIn, formatCount, formatFen } from '#kit/model/money.ts'
import { hasAmounts, metaOf, type Resource } from '#kit/model/resource.ts'
import { formatInstant } from '#kit/model/time.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import type { App } from '../app.ts'
import type { ReadRow } from '../list/select.ts'
import { dictionaryEntries } from './dictionary.ts'

type Told = { readonly resource: Resource; readonly workflow: Workflow | null }
type Dictionaries = Awaited<ReturnType<typeof dictionaryEntries>>

/** The dictionaries that briefs of these resources are written with. */
export function dictionariesOf(
  app: App,
  told: readonly Told[],
  language: Language,
): Promise<Dictionaries> | Dictionaries {
  const codes = told.flatMap(({ resource }) =>
    resource.brief.flatMap(field => {
      const meta = metaOf(resource, field)
      return meta.kind === 'dictionary' || meta.kind === 'tags' ? meta.code : []
    }),
  )
  return codes.length === 0 ? [] : dictionaryEntries(app, codes, language)
}

/** A record in a line of words: what it is called, what people tell it by, and its state. */
export function briefOf(
  app: App,
  { resource, workflow }: Told,
  row: ReadRow,
  language: Language,
  dictionaries: Dictionaries,
): Pick<Found, 'title' | 'facts' | 'state'> {
  const words = (field: string) => wordsOf(app, resource, field, row, language, dictionaries)
  const stateField = workflow?.field ?? resource.list.tabs
  const facts = resource.brief.filter(field => field !== resource.title && field !== stateField)
  return {
    // A reference is called by its name alone; what stands after it is a fact of the other record.
    title: row.labels[resource.title]?.name ?? words(resource.title) ?? '',
    facts: facts.flatMap(field => words(field) ?? []),
    state: stateField === undefined ? null : stateOf(app, resource, stateField, row, language),
  }
}

function stateOf(app: App, resource: Resource, field: string, row: ReadRow, language: Language): Found['state'] {
  const meta = metaOf(resource, field)
  const value = row[field]
  if (meta.kind !== 'choice' || typeof value !== 'string') return null
  const text = app.texts.text(language, resource.screen.name, `${field}.${value}`)
  return { text, tone: meta.tones[value] ?? 'idle' }
}

/** One value the way people read it where no head stands above it; nothing for what is missing or takes more than words. */
function wordsOf(
  app: App,
  resource: Resource,
  field: string,
  row: ReadRow,
  language: Language,
  dictionaries: Dictionaries,
): string | undefined {
  const value = row[field]
  if (value === null || value === undefined || value === '') return undefined
  const meta = metaOf(resource, field)
  const say = (key: string) => app.texts.text(language, resource.screen.name, key)
  const entry = (code: string, wanted: unknown) =>
    dictionaries.find(({ code: of, v }) => of === code && v === wanted)?.k ?? String(wanted)
  switch (meta.kind) {
    case 'money': {
      const amount = figureIn(language, formatFen(Number(value)))
      return hasAmounts(resource) ? `${say(`field.${field}`)} ${amount}` : amount
    }
    case 'number':
      return `${say(`field.${field}`)} ${figureIn(language, formatCount(Number(value)))}`
    case 'instant':
      return formatInstant(new Date(String(value))).slice(0, 16)
    case 'choice':
      return say(`${field}.${value}`)
    case 'dictionary':
      return entry(meta.code, value)
    case 'tags':
      return (value as string[]).map(tag => entry(meta.code, tag)).join(', ') || undefined
    case 'reference': {
      const label = row.labels[field]
      return label && [label.name, label.note].filter(Boolean).join(' ')
    }
    case 'flag':
      return value === true ? say(`field.${field}`) : undefined
    case 'files':
    case 'lines':
      return undefined
    default:
      return String(value)
  }
}
