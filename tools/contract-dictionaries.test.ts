import { Converter } from 'opencc-js'
import { beforeAll, describe, expect, test } from 'vitest'
import { kvListName } from '../src/kit/model/contract.ts'
import { type FieldMeta, fieldMeta, metasIn } from '../src/kit/model/field.ts'
import { LANGUAGES, type Language } from '../src/kit/model/language.ts'
import { metaOf } from '../src/kit/model/resource.ts'
import { wordIn } from '../src/kit/server/choice/dictionary.ts'
import { sheetOf } from '../src/kit/server/file/sheet.ts'
import { rowReader } from '../src/kit/server/import/cells.ts'
import type { ImportRow } from '../src/kit/server/import/definition.ts'
import { type Caller, openTestInstance, person, type TestInstance } from './testing/instance.ts'

const HAN = /\p{Script=Han}/u

let instance: TestInstance
let somebody: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  somebody = await person(instance)
})

const declared = () => [...instance.catalogue.dictionaries]
/** Every word of every built-in dictionary in a language, by where it stands. */
const wordsIn = (language: Language): [string, string][] =>
  declared().flatMap(([code, { name, note, entries }]) =>
    [['name', name], ['note', note], ...Object.entries(entries)]
      .filter(([, words]) => words !== undefined)
      .map(([key, words]): [string, string] => [
        `${code}.${key}`,
        wordIn(instance.app, language, {}, words as never) ?? '',
      ]),
  )

describe('a built-in dictionary', () => {
  test.each(LANGUAGES)('has a word for its name and for each entry in %s', language => {
    expect(wordsIn(language).filter(([, word]) => word.trim() === '')).toEqual([])
    const isChinese = language.startsWith('zh')
    expect(wordsIn(language).filter(([, word]) => HAN.test(word) && !isChinese)).toEqual([])
  })

  test('is written in traditional characters for those who read them', () => {
    const traditional = Converter({ from: 'cn', to: 'tw' })
    expect(wordsIn('zh-TW').filter(([, word]) => traditional(word) !== word)).toEqual([])
  })

  test.each(LANGUAGES)('calls no two entries the same in %s', language => {
    const twice = declared().filter(([, { entries }]) => {
      const words = Object.values(entries).map(entry => wordIn(instance.app, language, {}, entry))
      return new Set(words).size < words.length
    })
    expect(twice.map(([code]) => code)).toEqual([])
  })

  test('is there for every field that names one', () => {
    const schemas = instance.catalogue.slices.flatMap(({ resource, workflow, imports }) => [
      ...Object.values({ ...resource?.record.shape, ...resource?.asks }),
      ...Object.values(workflow?.steps ?? {}).flatMap(({ input }) => Object.values(input)),
      ...imports.flatMap(({ columns }) => Object.values(columns)),
    ])
    const codes = new Set(schemas.flatMap(schema => [...metasIn(schema)].flatMap(codeOf)))
    expect(codes.size).toBeGreaterThan(8)
    expect([...codes].filter(code => !instance.catalogue.dictionaries.has(code))).toEqual([])
  })
})

describe.each(LANGUAGES)('whoever reads %s', language => {
  test('is offered each entry in that language, in every select, filter and cell', async () => {
    const targets = declared().map(([code]) => code)
    const { data } = await somebody.post<Record<string, { k: string; v: string }[]>>(
      '/common/attachMore',
      targets.map(target => ({ type: 'D', target })),
      { 'accept-language': language },
    )
    const offered = targets.map(code => [code, data[kvListName(code)]?.map(({ v, k }) => [v, k])])
    const wanted = declared().map(([code, { entries }]) => [
      code,
      Object.entries(entries).map(([value, words]) => [value, wordIn(instance.app, language, {}, words)]),
    ])
    expect(offered).toEqual(wanted)
  })

  test('finds each entry called so in the sheet of every list', async () => {
    const strange: string[] = []
    for (const { resource } of instance.catalogue.slices) {
      if (!resource?.actions.includes('export')) continue
      const sheet = await sheetOf(instance.app, resource, language)
      for (const [at, field] of resource.list.columns.entries()) {
        const meta = metaOf(resource, field)
        for (const [value, words] of codeOf(meta).flatMap(entriesIn)) {
          const row = { [field]: meta.kind === 'tags' ? [value] : value, labels: {} }
          const shown = String(sheet.cells(row)[at])
          if (shown !== wordIn(instance.app, language, {}, words))
            strange.push(`${resource.screen.name} ${field} ${shown}`)
        }
      }
    }
    expect(strange).toEqual([])
  })

  test('may call each entry so in a file that is brought in', async () => {
    const misread: string[] = []
    const imports = instance.catalogue.slices.flatMap(slice => slice.imports)
    for (const declaration of imports) {
      for (const [field, schema] of Object.entries(declaration.columns)) {
        const columns = { [field]: schema }
        const read = await rowReader(instance.app, { ...declaration, columns }, { [field]: 0 })
        for (const [value, words] of codeOf(fieldMeta(schema)).flatMap(entriesIn)) {
          const { row } = read(1, [wordIn(instance.app, language, {}, words) ?? '']) as { row?: ImportRow }
          if (row?.values[field as never] !== value) misread.push(`${declaration.screen.name} ${field} ${value}`)
        }
      }
    }
    expect(imports.length).toBeGreaterThan(0)
    expect(misread).toEqual([])
  })
})

const codeOf = (meta: FieldMeta): string[] =>
  (meta.kind === 'dictionary' || meta.kind === 'tags') && meta.code !== '' ? [meta.code] : []
const entriesIn = (code: string) => Object.entries(instance.catalogue.dictionaries.get(code)?.entries ?? {})
