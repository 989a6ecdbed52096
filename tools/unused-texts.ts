import type * as z from 'zod'
import { bare, choicesOf, fieldMeta } from '../src/kit/model/field.ts'
import type { Statistic } from '../src/kit/model/statistic.ts'
import type { Catalogue } from '../src/kit/server/catalogue.ts'
import { type SourceFile, staticImportsOf, withoutComments } from './source.ts'

type Namespaces = Readonly<Record<string, Readonly<Record<string, string>>>>
/** By namespace, what follows from its declarations; a namespace without any is told by its code alone. */
type Declared = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Texts that nothing says, as `namespace:key`. A key is said where code within its reach quotes it, where it follows from a
 * declaration (`field.name`, `status.PAID`, `step.approve`), or where a template makes it of a word that code in reach knows
 * (`kind.${kind}` and COINS). Words that several slices share are said when one of them says them.
 */
export function unusedTexts(sources: readonly SourceFile[], texts: Namespaces, declared: Declared): string[] {
  const files = sources
    .filter(({ path }) => path.startsWith('src/') && !/\.test\.tsx?$|\/locale\.ts$|-texts(\.model)?\.ts$/.test(path))
    .map(readFile)
  const unused = Object.entries(texts).flatMap(([namespace, own]) => {
    const isSaid = saidIn(namespace, files, declared.get(namespace))
    return Object.keys(own).flatMap(key => (isSaid(key) ? [] : [{ namespace, key }]))
  })
  const left = new Set(unused.map(({ namespace, key }) => `${namespace}:${key}`))
  const isShared = ({ namespace, key }: (typeof unused)[number]) =>
    Object.entries(texts).some(
      ([other, own]) => other !== namespace && own[key] === texts[namespace]?.[key] && !left.has(`${other}:${key}`),
    )
  return unused.filter(found => !isShared(found)).map(({ namespace, key }) => `${namespace}:${key}`)
}

type Read = SourceFile & {
  readonly quoted: ReadonlySet<string>
  readonly patterns: readonly RegExp[]
  readonly words: ReadonlySet<string>
  readonly imports: readonly string[]
}

function readFile(file: SourceFile): Read {
  const text = withoutComments(file.text)
  return {
    path: file.path,
    text,
    quoted: new Set(
      [...text.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`$\n]*)`/g)].map(([, a, b, c]) => a ?? b ?? c ?? ''),
    ),
    // Between two backticks, whichever of them begins a template: one may stand within another.
    patterns: [...new Set(text.split('`'))].flatMap(part => patternOf(part) ?? []),
    words: new Set(text.match(/[\w-]+|#[0-9a-f]{6}/g) ?? []),
    imports: staticImportsOf(file),
  }
}

const HOLE = /\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g

/** What a template can make, of whatever namespace; nothing where that is anything. */
function patternOf(template: string): RegExp | undefined {
  if (!template.includes('${') || template.includes('\n')) return undefined
  const fixed = template
    .replace(/^(\$\{[^{}]*\}|[\w/-]+):/, '')
    .replaceAll('}${', '')
    .split(HOLE)
  if (!/[a-z]/i.test(fixed.join('')) || !fixed.every(part => /^[\w.#-]*$/.test(part))) return undefined
  return new RegExp(`^${fixed.map(part => part.replaceAll('.', '\\.')).join('([\\w#.-]+?)')}$`)
}

/** Derived by the kit for each record: there is no more of it than was declared, but for what a call of its own takes, and does. */
const DERIVED = /^(field|step|ask|done|stays|todo|awaits)\.(.+)/

function saidIn(
  namespace: string,
  files: readonly Read[],
  declared: ReadonlySet<string> | undefined,
): (key: string) => boolean {
  const own = files.filter(isOf(namespace))
  const others = files.filter(file => !own.includes(file))
  const imported = new Set(own.flatMap(({ imports }) => imports))
  const near = [...own, ...others.filter(({ path }) => imported.has(path))]
  const isQuoted = (key: string, among = files) => among.some(({ quoted }) => quoted.has(key))
  const isWord = (among: readonly Read[], word: string) => among.some(({ words }) => words.has(word))
  const isKnown = (among: readonly Read[], filled: string) =>
    filled.split('.').every(word => isWord(among, word) || word.split('-').every(part => isWord(among, part)))
  const isMade = (key: string, from: readonly Read[], among: readonly Read[]) =>
    from.some(({ patterns }) =>
      patterns.some(pattern => {
        const filled = pattern.exec(key)
        return filled?.slice(1).every(part => isKnown(among, part))
      }),
    )
  const kit = files.filter(({ path }) => path.startsWith('src/kit/'))
  return key => {
    if (declared?.has(key) || isQuoted(key, [...near, ...kit]) || isQuoted(`${namespace}:${key}`)) return true
    if (key.includes('.') && isQuoted(key)) return true
    const [, kind, name = ''] = DERIVED.exec(key) ?? []
    if (declared && kind === 'step') return isQuoted(name)
    if (declared && kind === 'field')
      return own.some(({ text }) => new RegExp(`\\b${name}(: | = z\\.)|'${name}'`).test(text))
    if (declared && kind) return false
    // A slice may speak of what all others have; others speak of what is its own.
    return isMade(key, own, files) || isMade(key, others, near)
  }
}

/** The code a namespace belongs to: its folder, those it stands in, and whoever names it. */
const isOf = (namespace: string) => {
  const folder = /^(kit|engines)(\/|$)/.test(namespace) ? `src/${namespace}` : `src/areas/${namespace}`
  const isKit = /^kit(\/|$)/.test(namespace)
  return ({ path, quoted, imports, text }: Read): boolean =>
    isKit ||
    path.startsWith(`${folder}/`) ||
    folder.startsWith(`${path.slice(0, path.lastIndexOf('/'))}/`) ||
    quoted.has(namespace) ||
    text.includes(`${namespace}:`) ||
    imports.includes(`${folder}/locale.ts`)
}

/** What the kit says of every record, statistic, setting and job. */
export function declaredTexts({
  slices,
  children,
  settings,
}: Pick<Catalogue, 'slices' | 'children' | 'settings'>): Declared {
  const declared = new Map<string, Set<string>>()
  const add = (name: string, keys: readonly string[]) =>
    declared.set(name, new Set([...(declared.get(name) ?? []), ...keys]))
  for (const { name, resource, workflow, imports, statistic, jobs } of slices) {
    if (jobs.length > 0) add(name, jobs.flatMap(ofJob))
    if (statistic) add(name, ofStatistic(statistic))
    if (resource) add(name, ofRecord(resource, workflow, imports))
  }
  for (const { resource } of children) add(resource.screen.name, ofRecord(resource, null, []))
  for (const { slice, name } of settings.values()) add(slice, [`setting.${name}`, `setting.${name}.help`])
  return declared
}

type Slice = Catalogue['slices'][number]

const ofJob = ({ name, parameters = {} }: Slice['jobs'][number]): string[] =>
  ['', '.help', ...Object.keys(parameters).map(parameter => `.${parameter}`)].map(end => `job.${name}${end}`)

function ofRecord(
  resource: NonNullable<Slice['resource']>,
  workflow: Slice['workflow'],
  imports: Slice['imports'],
): string[] {
  const steps = Object.entries(workflow?.steps ?? {})
  const shapes = [
    resource.record.shape,
    resource.asks,
    ...steps.map(([, { input }]) => input),
    ...imports.map(one => one.columns),
  ]
  return [
    ...shapes.flatMap(shape => Object.entries(shape).flatMap(([field, schema]) => ofField(field, schema as z.ZodType))),
    ...steps.flatMap(([step]) => ['step', 'ask', 'done', 'stays', 'todo', 'awaits'].map(told => `${told}.${step}`)),
    ...steps.flatMap(([step, { tells }]) =>
      tells === null ? [] : valuesOf(resource.record.shape[tells] as never).map(value => `ask.${step}.${value}`),
    ),
    ...(workflow?.outside ?? []).map(state => `awaits.${state}`),
  ]
}

/** Of lines, what each part of one is called too. */
function ofField(field: string, schema: z.ZodType): string[] {
  const line = (bare(schema) as { element?: { shape?: object } }).element?.shape ?? {}
  return [
    `field.${field}`,
    ...valuesOf(schema).map(value => `${field}.${value}`),
    ...Object.entries(line).flatMap(([part, inner]) => [
      `field.${part}`,
      ...choicesOf(inner as z.ZodType).map(value => `${part}.${value}`),
    ]),
  ]
}

const valuesOf = (schema: z.ZodType): readonly string[] =>
  fieldMeta(schema).kind === 'flag' ? ['true', 'false'] : choicesOf(schema)

function ofStatistic({ measures, bases, dimensions }: Statistic): string[] {
  return [
    ...Object.keys(measures).flatMap(measure => [`measure.${measure}`, `about.${measure}`]),
    ...Object.keys(bases).flatMap(basis => [`base.${basis}`, `about-base.${basis}`]),
    ...Object.entries(dimensions).flatMap(([dimension, declared]) => [
      `dimension.${dimension}`,
      ...(declared === 'time' ? [] : Object.keys(declared.bands ?? {}).map(band => `${dimension}.${band}`)),
    ]),
  ]
}
