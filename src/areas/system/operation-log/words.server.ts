import { type FieldMeta, knownMeta } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import { mask } from '#kit/model/mask.ts'
import { formatCount, formatFen, formatShare } from '#kit/model/money.ts'
import type { Resource } from '#kit/model/resource.ts'
import { formatInstant } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { actionName } from '#kit/server/auth/permission-name.ts'
import type { Diff } from '#kit/server/change/audit.ts'
import { dictionaryEntries } from '#kit/server/choice/dictionary.ts'
import { type LogLine, resource, type ShownChange } from './model.ts'

const OWN = resource.screen.name

/** Pages everybody has no key for are logged by name. */
const screenOf = ({ catalogue }: App, page: string) =>
  catalogue.screens.find(({ key, name }) => key === page || name === page)

/** A line as people would say it: on which page what was done, to which record, by whom. */
export function inWords(app: App, line: LogLine, language: Language) {
  const { page, action, recordId, recordNo, actorId, actorName } = line
  const own = (key: string) => (app.texts.has(OWN, key) ? app.texts.text(language, OWN, key) : undefined)
  const screen = screenOf(app, page)
  return {
    page: screen ? app.texts.text(language, screen.name, 'title') : (own(`page.${page}`) ?? page),
    action: own(`action.${action}`) ?? actionName(app, language, page, action),
    ...(recordId === null ? {} : { recordId: recordNo ?? `#${recordId}` }),
    ...(actorId === null ? { actorId: actorName === 'command line' ? own('command') : own('console') } : {}),
  }
}

/** Why something was refused, by the kind of refusal the line keeps. */
export function whyRefused(app: App, code: number, language: Language): string | null {
  if (code === 0) return null
  const key = `refused.${code}`
  return app.texts.text(language, OWN, app.texts.has(OWN, key) ? key : 'refused.other', { code })
}

type Field = { readonly field: string; readonly meta: FieldMeta | undefined }

/** What changed, field by field: names of the page, values as the page shows them, personal ones masked. */
export async function changesInWords(app: App, page: string, diff: Diff, language: Language): Promise<ShownChange[]> {
  const screen = screenOf(app, page)
  const declared = app.catalogue.slices.find(slice => slice.screen === screen)?.resource ?? null
  const fields = Object.keys(diff).map((field): Field => ({ field, meta: metaOf(declared, field) }))
  const names = await namesIn(app, fields, diff, language)
  const said = (key: string) =>
    screen && app.texts.has(screen.name, key) ? app.texts.text(language, screen.name, key) : undefined
  const own = (key: string, params = {}) => app.texts.text(language, OWN, key, params)
  const shown = ({ field, meta }: Field, value: unknown): string | null => {
    if (value === null || value === undefined || value === '') return null
    if (Array.isArray(value) && meta?.kind !== 'tags') return own('lines', { count: value.length })
    switch (meta?.kind) {
      case 'choice':
        return said(`${field}.${value}`) ?? String(value)
      case 'dictionary':
      case 'tags':
        return [value]
          .flat()
          .map(one => names.get(`${field} ${one}`) ?? String(one))
          .join(', ')
      case 'reference':
        return names.get(`${field} ${value}`) ?? `#${value}`
      case 'money':
        return formatFen(Number(value))
      case 'number':
        return (meta.isShare ? formatShare : formatCount)(Number(value))
      case 'instant':
        return formatInstant(new Date(String(value)))
      case 'flag':
        return own(value === true ? 'yes' : 'no')
      case 'personal':
        // Logged masked; should anything ever not have been, it is not shown here either.
        return String(value).includes('*') ? String(value) : mask(meta.personal, String(value))
      default:
        return typeof value === 'object' ? partsOf(value) : String(value)
    }
  }
  return fields.map(field => {
    const pair = diff[field.field]
    return {
      id: field.field,
      name:
        said(`field.${field.field}`) ??
        (app.texts.has(OWN, `part.${field.field}`) ? own(`part.${field.field}`) : field.field),
      // What was erased leaves its place.
      before: pair ? shown(field, pair[0]) : own('erased'),
      after: pair ? shown(field, pair[1]) : own('erased'),
    }
  })
}

const MAX_PARTS = 500

/** What a list was asked for, say, as it stands in an address. */
const partsOf = (value: object): string =>
  Object.entries(value)
    .map(([name, part]) => `${name}=${[part].flat().join(',')}`)
    .join(' & ')
    .slice(0, MAX_PARTS)

const metaOf = (declared: Resource | null, field: string): FieldMeta | undefined =>
  declared?.record.shape[field] && knownMeta(declared.record.shape[field])

/** What ids and codes in a change are called, by field and value. Records that are not everybody's stay numbers. */
async function namesIn(
  app: App,
  fields: readonly Field[],
  diff: Diff,
  language: Language,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { field, meta } of fields) {
    const values = [...(diff[field] ?? [])]
      .flat()
      .filter(value => value !== null)
      .map(String)
    if (meta?.kind === 'dictionary' || meta?.kind === 'tags')
      for (const { v, k } of await dictionaryEntries(app, [meta.code], language)) names.set(`${field} ${v}`, k)
    const reference = meta?.kind === 'reference' ? app.catalogue.references.get(meta.to) : undefined
    if (reference?.scope !== 'shared' || values.length === 0) continue
    const rows = await app.db.read.rows(
      `select t.id, t.${reference.label.name} as name from ${reference.table} t where t.id = any($1::bigint[])`,
      [values],
    )
    for (const { id, name } of rows) names.set(`${field} ${id}`, String(name))
  }
  return names
}
