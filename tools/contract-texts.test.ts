import { readFileSync } from 'node:fs'
import { Converter } from 'opencc-js'
import { beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { choicesOf, fieldMeta } from '../src/kit/model/field.ts'
import { LANGUAGES, type WrittenLanguage } from '../src/kit/model/language.ts'
import { type Catalogue, readCatalogue } from '../src/kit/server/catalogue.ts'
import { type Bundles, readTexts } from '../src/kit/server/text/texts.ts'
import { readSources } from './source.ts'

let texts: Bundles
let catalogue: Catalogue
beforeAll(async () => {
  ;[texts, catalogue] = await Promise.all([readTexts(), readCatalogue()])
})

const every = (language: (typeof LANGUAGES)[number]): [string, string][] =>
  Object.entries(texts[language]).flatMap(([namespace, keys]) =>
    Object.entries(keys).map(([key, text]): [string, string] => [`${namespace}:${key}`, text]),
  )
const holes = (text: string): string =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map(match => match[1])
    .sort()
    .join()
const has = (namespace: string, key: string): boolean => texts['zh-CN'][namespace]?.[key] !== undefined

describe('every language says everything', () => {
  test.each(LANGUAGES)('%s has each text, none of them empty, with the same holes as the Chinese one', language => {
    const wanted = new Map(every('zh-CN'))
    const said = new Map(every(language))
    expect([...said.keys()].sort()).toEqual([...wanted.keys()].sort())
    expect([...said].filter(([, text]) => text.trim() === '')).toEqual([])
    expect([...said].filter(([name, text]) => holes(text) !== holes(wanted.get(name) ?? ''))).toEqual([])
  })

  test.each(['en-US', 'pt-BR'] as const)('%s holds no Chinese', language => {
    expect(
      every(language)
        .filter(([, text]) => /\p{Script=Han}/u.test(text))
        .filter(([, text]) => !/^(中文|简体中文|繁體中文|砚)/.test(text)),
    ).toEqual([])
  })

  test('zh-TW holds no simplified character', () => {
    const traditional = Converter({ from: 'cn', to: 'tw' })
    expect(
      every('zh-TW')
        .filter(([name, text]) => traditional(text) !== text && !name.includes('zh-CN'))
        .map(([name, text]) => `${name} ${text}`),
    ).toEqual([])
  })

  test('the titles of messages hold no colon: the console splits at the first one', () => {
    for (const language of LANGUAGES) {
      const titles = every(language).filter(([name]) => /^kit:(title-|unauthorised$|refused$)/.test(name))
      expect(titles.length).toBeGreaterThan(9)
      expect(titles.filter(([, text]) => /[:：]/.test(text))).toEqual([])
    }
  })

  test('why a step cannot be taken back has no full stop of its own: the sentence it ends has one', () => {
    for (const language of LANGUAGES) {
      const reasons = every(language).filter(([name]) => /:stays\.\w+$/.test(name))
      expect(reasons.length).toBeGreaterThan(30)
      expect(reasons.filter(([, text]) => /[.。]$/.test(text))).toEqual([])
    }
  })
})

describe('one thing has one name', () => {
  /** The table of the glossary: for each thing the words nobody uses, by language. */
  const rows = [...readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8').matchAll(/^\|(.+)\|$/gm)]
    .map(([, line = '']) => line.split('|').map(cell => cell.trim()))
    .filter(({ length }) => length === 7)
  const table = rows.slice(rows.findIndex(([head]) => head === 'Thing') + 2)
  const wordsOf = (cell: string | undefined) => (cell ?? '').split(', ').filter(word => word !== '')
  const never = (column: number) => table.flatMap(row => wordsOf(row[column]))
  const built = (language: WrittenLanguage): [string, string][] =>
    [...catalogue.dictionaries].flatMap(([code, { name, note, entries }]) =>
      [name, ...(note ? [note] : []), ...Object.values(entries)].map((words): [string, string] => [
        code,
        words[language],
      ]),
    )

  test.each([
    ['zh-CN', 2],
    ['en-US', 4],
    ['pt-BR', 6],
  ] as const)('no text and no entry of a dictionary in %s uses a word the glossary rules out', (language, column) => {
    const words = never(column)
    expect(words.length).toBeGreaterThan(20)
    // Chinese has no spaces between words; elsewhere a word is a whole one.
    const isSaid = (word: string, text: string) =>
      language === 'zh-CN'
        ? text.includes(word)
        : new RegExp(`(?<![\\p{L}-])${word}(?![\\p{L}-])`, 'iu').test(text.replace(/\{\w+\}/g, ''))
    const found = [...every(language), ...built(language)].flatMap(([name, text]) =>
      words.filter(word => isSaid(word, text)).map(word => `${name} says ${word}: ${text}`),
    )
    expect(found).toEqual([])
  })
})

describe('every screen has its words', () => {
  test('titles of areas and screens', () => {
    const names = catalogue.areas.flatMap(area => [
      area.name,
      ...Object.values(area.screens).map(screen => screen.name),
    ])
    const children = catalogue.children.map(({ resource }) => resource.screen.name)
    expect([...names, ...children].filter(name => !has(name, 'title'))).toEqual([])
  })

  test('no title is longer than the menu is wide at its usual width', () => {
    // 146 px beside the indent, the edges and a scroll bar; 14 px letters are as wide as they are high in Chinese, and half of that elsewhere.
    const most = (language: (typeof LANGUAGES)[number]) => (language.startsWith('zh') ? 10 : 22)
    const shown = catalogue.screens.filter(({ hidden }) => !hidden)
    expect(shown.length).toBeGreaterThan(70)
    const cut = LANGUAGES.flatMap(language =>
      shown
        .map(({ name }) => `${language} ${texts[language][name]?.title}`)
        .filter(said => said.length - language.length - 1 > most(language)),
    )
    expect(cut).toEqual([])
  })

  test('fields, choices and steps of every record', () => {
    const children = catalogue.children.map(({ resource }) => ({
      name: resource.screen.name,
      resource,
      workflow: null,
    }))
    const missing = [...catalogue.slices, ...children].flatMap(({ name, resource, workflow }) => {
      if (!resource) return []
      const shape = Object.entries(resource.record.shape)
      const keys = [
        ...shape.filter(([field]) => field !== 'id' && field !== 'version').map(([field]) => `field.${field}`),
        ...shape.flatMap(([field, schema]) => choicesOf(schema).map(value => `${field}.${value}`)),
        ...Object.keys(workflow?.steps ?? {}).map(step => `step.${step}`),
      ]
      return keys.filter(key => !has(name, key)).map(key => `${name}:${key}`)
    })
    expect(missing).toEqual([])
  })

  test('every right, where rights are given, and every change, in the history of its record', () => {
    const rights = catalogue.screens.flatMap(({ name, key }) =>
      (catalogue.pages.get(key ?? '') ?? [])
        .filter(action => !has(name, `step.${action}`) && !has('kit/server/auth', `action.${action}`))
        .map(action => `the right ${name}:${action}`),
    )
    const changes = catalogue.slices.flatMap(({ name, resource }) =>
      (resource?.actions ?? [])
        .filter(action => action !== 'list' && action !== 'detail' && !has('kit/page', `action.${action}`))
        .map(action => `the change ${name}:${action}`),
    )
    expect([...rights, ...changes]).toEqual([])
  })

  test('what follows from each step, whether and why it cannot be taken back, what is said when it is done, and the facts a person decides by: number, member and money', () => {
    const lacking = catalogue.slices.flatMap(({ name, resource, workflow }) => {
      if (!resource || !workflow) return []
      const { brief, title, list, record } = resource
      const kindOf = (field: string) => fieldMeta(record.shape[field] as never)
      const isMember = (field: string) => {
        const meta = kindOf(field)
        return meta.kind === 'reference' && meta.to === 'member'
      }
      const shown = (is: (field: string) => boolean) => !list.columns.some(is) || brief.some(is)
      return [
        ...(brief.includes(title) ? [] : [`${name}: its title`]),
        ...(shown(isMember) ? [] : [`${name}: the member`]),
        ...(workflow.outside ?? []).flatMap(state =>
          has(name, `awaits.${state}`) ? [] : [`${name}: awaits.${state}`],
        ),
        ...Object.entries(workflow.steps).flatMap(([step, { amount, awaits, tells, back }]) => [
          ...['', ...(tells === null ? [] : casesOf(record.shape[tells] as never).map(value => `.${value}`))].flatMap(
            which => (has(name, `ask.${step}${which}`) ? [] : [`${name}: ask.${step}${which}`]),
          ),
          ...(has(name, `done.${step}`) ? [] : [`${name}: done.${step}`]),
          // What cannot be taken back says why; what can says nothing of the kind.
          ...((back === 'stays') === has(name, `stays.${step}`) ? [] : [`${name}: stays.${step}`]),
          ...(!awaits || has(name, `todo.${step}`) ? [] : [`${name}: todo.${step}`]),
          ...(!awaits || workflow.field === null || has(name, `awaits.${step}`) ? [] : [`${name}: awaits.${step}`]),
          ...(amount === null || brief.includes(amount) ? [] : [`${name}: the money of ${step}`]),
        ]),
      ]
    })
    expect(lacking).toEqual([])
  })

  test.each(LANGUAGES)('%s calls no two things that wait for somebody by one name', language => {
    const titles = catalogue.slices.flatMap(({ name, workflow }) =>
      Object.entries(workflow?.steps ?? {}).flatMap(([step, { awaits }]) =>
        awaits ? [[`${name}: ${step}`, texts[language][name]?.[`todo.${step}`] ?? ''] as const] : [],
      ),
    )
    const alike = [...Map.groupBy(titles, ([, title]) => title.toLowerCase())].filter(([, named]) => named.length > 1)
    expect(alike).toEqual([])
    expect(titles.length).toBeGreaterThan(30)
  })

  test('measures with their definitions, dimensions, bands, bases and funnel of every statistic', () => {
    const missing = catalogue.slices.flatMap(({ name, statistic }) => {
      if (!statistic) return []
      const keys = [
        ...Object.keys(statistic.measures).flatMap(measure => [`measure.${measure}`, `about.${measure}`]),
        ...Object.keys(statistic.bases).flatMap(basis => [`base.${basis}`, `about-base.${basis}`]),
        ...Object.entries(statistic.dimensions).flatMap(([dimension, declared]) => [
          `dimension.${dimension}`,
          ...(declared === 'time' ? [] : Object.keys(declared.bands ?? {}).map(band => `${dimension}.${band}`)),
          ...(declared !== 'time' && declared.none !== undefined ? [declared.none] : []),
        ]),
        ...(statistic.funnel ? ['funnel'] : []),
      ]
      return keys.filter(key => !has(name, key)).map(key => `${name}:${key}`)
    })
    expect(missing).toEqual([])
  })
})

describe('every refusal has its text', () => {
  test('wherever the code refuses, the words are there', () => {
    const missing = readSources()
      .filter(({ path }) => path.startsWith('src/') && !/\.test\.tsx?$|\/locale\.ts$/.test(path))
      .flatMap(({ path, text }) => {
        const home = /^src\/(?:areas\/)?(.+)\/[^/]+$/.exec(path)?.[1] ?? ''
        const codes = [
          ...[...text.matchAll(/\brefuse\(\s*'([^']+)'/g)].map(match => match[1] as string),
          ...(path.startsWith('src/areas/')
            ? [...text.matchAll(/\{\s*code: '([a-z][\w/:-]+)'/g)].map(match => match[1] as string)
            : []),
        ]
        return codes.filter(code => !isSaid(home, code)).map(code => `${path}: ${code}`)
      })
    expect(missing).toEqual([])
  })

  /** As the server looks: in the namespace that is named, else in the slice's own, else in the kit's. */
  function isSaid(home: string, code: string): boolean {
    const [namespace, key] = code.includes(':') ? (code.split(':') as [string, string]) : [home, code]
    return has(namespace, key) || has('kit', key)
  }
})

/** The values a question may be about: of a choice, or of a flag. */
const casesOf = (schema: z.ZodType): readonly string[] =>
  fieldMeta(schema).kind === 'flag' ? ['true', 'false'] : choicesOf(schema)
