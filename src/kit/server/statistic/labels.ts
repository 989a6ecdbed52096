import type { Language } from '#kit/model/language.ts'
import { metaOf } from '#kit/model/resource.ts'
import type { Asked, Bucket, Statistic } from '#kit/model/statistic.ts'
import type { App } from '../app.ts'
import { dictionaryEntries } from '../choice/dictionary.ts'
import { requireReference } from '../declared.ts'
import { labelColumns, readLabel } from '../list/select.ts'

export const bucketLabel = ({ key, from, to }: Bucket, { interval }: Pick<Asked, 'interval'>): string =>
  interval === 'day' ? key : interval === 'month' ? key.slice(0, 7) : `${from} – ${to.slice(5)}`

/** What the values of a dimension are called, in somebody's language; what has none stands by its key. */
export async function labelsOf(
  app: App,
  statistic: Statistic,
  name: string,
  keys: readonly (string | null)[],
  language: Language,
): Promise<(key: string | null) => string> {
  const dimension = statistic.dimensions[name]
  const there = keys.filter(key => key !== null)
  const labels =
    dimension === undefined || dimension === 'time'
      ? new Map<string, string>()
      : dimension.bands
        ? new Map(there.map(key => [key, app.texts.text(language, statistic.screen.name, `${name}.${key}`)]))
        : await fieldLabels(app, statistic, dimension.field, there, language)
  const own = typeof dimension === 'object' ? dimension.none : undefined
  const none =
    own === undefined
      ? app.texts.text(language, 'kit', 'nothing-here')
      : app.texts.text(language, statistic.screen.name, own)
  return key => (key === null ? none : (labels.get(key) ?? key))
}

async function fieldLabels(
  app: App,
  { of }: Statistic,
  field: string,
  keys: readonly string[],
  language: Language,
): Promise<ReadonlyMap<string, string>> {
  const meta = metaOf(of, field)
  if (meta.kind === 'choice')
    return new Map(keys.map(key => [key, app.texts.text(language, of.screen.name, `${field}.${key}`)]))
  if (meta.kind === 'dictionary')
    return new Map((await dictionaryEntries(app, [meta.code], language)).map(({ v, k }) => [v, k]))
  if (meta.kind !== 'reference') return new Map()
  const reference = requireReference(app.catalogue, meta.to)
  const columns = labelColumns(reference, 't').map(([part, sql]) => `${sql} as "id:${part}"`)
  const rows = await app.db.read.rows(
    `select t.id, ${columns.join(', ')} from ${reference.table} t where t.id = any($1::bigint[])`,
    [keys],
  )
  return new Map(rows.map(row => [String(row.id), readLabel(reference, row, 'id').name]))
}
