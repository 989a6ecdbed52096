import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE, SERVER } from './list.ts'
import { accessTest, type Files, folderOf, holdsText, localeText, property, type Wanted, wordsOf } from './wanted.ts'

type Column = {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly mayBeEmpty: boolean
}
export type Table = {
  readonly columns: readonly Column[]
  /** The longest text a check lets in, by column. */
  readonly longest: ReadonlyMap<string, number>
  /** What a check lets in, by column. */
  readonly choices: ReadonlyMap<string, readonly string[]>
  /** The bounds a check sets a number. */
  readonly least: ReadonlyMap<string, number>
  /** Columns an index begins with, and with ` text_pattern_ops` those by which beginnings are found. */
  readonly indexed: ReadonlySet<string>
}

/** A table as docs/generated/schema.sql has it; nothing where no migration makes one of this name. */
export function readTable(root: string, table: string): Table | undefined {
  const sql = readFileSync(join(root, 'docs/generated/schema.sql'), 'utf8')
  const [, text] = new RegExp(`^create table ${table} \\(\\n([^;]*)\\);`, 'm').exec(sql) ?? []
  if (text === undefined) return undefined
  const lines = text.split(',\n').map(line => line.trim())
  const columns = lines
    .filter(line => !line.startsWith('constraint '))
    .map(line => {
      const [, name = '', type = ''] = /^(\w+) (.*?)(?= generated| not null| default|$)/.exec(line) ?? []
      return { name, type, isOptional: !line.includes('not null'), mayBeEmpty: line.includes("default ''") }
    })
  const checks = [...text.matchAll(/length\((\w+)\) <= (\d+)/g)]
  const bounds = [...text.matchAll(/CHECK \(\((\w+) (>=?) (\d+)\)\)/g)]
  const among = [...text.matchAll(/CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]/g)]
  const indexes = [
    ...sql.matchAll(new RegExp(` ON public\\.${table} USING btree \\((\\w+(?: text_pattern_ops)?)[^;]*;`, 'g')),
  ]
  return {
    columns,
    longest: new Map(checks.map(([, name = '', most]) => [name, Number(most)])),
    choices: new Map(among.map(([, name = '', list = '']) => [name, list.match(/(?<=')\w+(?=')/g) ?? []])),
    least: new Map(bounds.map(([, name = '', sign, least]) => [name, Number(least) + (sign === '>' ? 1 : 0)])),
    // One that leaves rows out answers for none of them.
    indexed: new Set(indexes.filter(([sql]) => !sql.includes(' WHERE ')).map(([, name = '']) => name)),
  }
}

/** What a person is called, where they live and how they are reached is masked, and by which rule nobody can read off a column. */
const PERSONAL = /phone|mobile|guardian|address|receiver|payee|account|name_pinyin|hash|secret|token|password|contact/

/** The field a column becomes, as source; none where only people can tell which it is. */
function fieldOf(
  { name, type, isOptional, mayBeEmpty }: Column,
  { longest, choices, least }: Table,
): string | undefined {
  const made = madeOf()
  if (made === undefined) return undefined
  return isOptional ? `optional(${made})` : made
  function madeOf(): string | undefined {
    if (name === 'id') return 'id()'
    if (name === 'version') return 'version()'
    if (type.startsWith('timestamp')) return 'instant()'
    if (type === 'boolean') return 'flag()'
    if (name.endsWith('_fen')) return 'money()'
    if (type === 'integer') return `number(${least.get(name) ?? '-2_147_483_647'}, 2_147_483_647)`
    if (type !== 'text' || PERSONAL.test(name)) return undefined
    const values = choices.get(name)
    if (values) return `choice({ ${values.map(value => `${value}: 'idle'`).join(', ')} })`
    const most = longest.get(name) ?? 200
    return mayBeEmpty ? `longText(${most})` : `text(${most})`
  }
}

const camel = (column: string): string => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Existing = { readonly files: Files; readonly indexes: string; readonly leftOut: readonly string[] }

/**
 * A list of what a table holds already: read, and neither added nor changed. Says which columns it left to people, and which
 * indexes the list needs that the table has not.
 */
export function existingTableFiles(wanted: Wanted, table: Table): Existing {
  const folder = folderOf(wanted)
  const fields = table.columns.flatMap(column => {
    const made = fieldOf(column, table)
    return made === undefined ? [] : [{ ...column, field: camel(column.name), made }]
  })
  const shown = fields.filter(({ name }) => name !== 'id' && name !== 'version').map(({ field }) => field)
  const title = fields.find(({ name, type }) => type === 'text' && !table.choices.has(name))
  if (!title) throw new Error(`${wanted.table} has no text that names a record to people: write this screen by hand`)
  const came = fields.find(({ type, isOptional }) => type.startsWith('timestamp') && !isOptional)
  const times = came ? [came.field] : []
  const isOwned = ['owner_id', 'org_id'].every(name => table.columns.some(column => column.name === name))
  const kinds = [...new Set(fields.flatMap(({ made }) => [...made.matchAll(/([a-z]\w*)\(/gi)].map(([, name]) => name)))]
  const files = {
    [`${folder}/model.ts`]: `import * as z from 'zod'
import { ${kinds.toSorted().join(', ')} } from '#kit/model/field.ts'
import { defineResource } from '#kit/model/resource.ts'
import { area } from '../area.ts'

export const resource = defineResource({
  screen: area.screens${property(wanted.screen)},
  table: '${wanted.table}',
  record: z.strictObject({
${fields.map(({ field, made }) => `    ${field}: ${made},\n`).join('')}  }),
  title: '${title.field}',
  list: {
    columns: [${quoted(shown)}],
    filters: [${quoted(times)}],
    sort: [${quoted([title.field, ...times])}],
    search: ['${title.field}'],
  },
  actions: ['list', 'detail', 'export'],
  scope: '${isOwned ? 'owned' : 'shared'}',
})
`,
    [`${folder}/server.ts`]: SERVER,
    [`${folder}/page.tsx`]: PAGE,
    [`${folder}/locale.ts`]: localeText(wanted.screen, {
      record: [wordsOf(wanted.screen), wordsOf(wanted.screen), wordsOf(wanted.screen)],
      ...Object.fromEntries(shown.map(field => [`field.${field}`, [field, field, field] as const])),
      ...Object.fromEntries(
        fields.flatMap(({ name, field }) =>
          (table.choices.get(name) ?? []).map(value => [`${field}.${value}`, [value, value, value] as const]),
        ),
      ),
      empty: ['还没有数据。', 'Nothing here yet.', 'Ainda não há nada aqui.'],
    }),
    [`${folder}/demo.server.ts`]: holdsText("['list', 'detail']"),
    [`${folder}/server.test.ts`]: accessTest(wanted),
  }
  const needed = [`${title.name} text_pattern_ops`, ...(came ? [came.name] : [])]
  const indexes = needed
    .filter(start => !table.indexed.has(start))
    .map(start => `create index ${wanted.table}_${start.split(' ')[0]}_listed on ${wanted.table} (${start}, id);\n`)
  return {
    files,
    indexes: indexes.join(''),
    leftOut: table.columns.map(({ name }) => name).filter(name => !fields.some(f => f.name === name)),
  }
}

const quoted = (names: readonly string[]): string => names.map(name => `'${name}'`).join(', ')
