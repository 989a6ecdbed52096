/** What whoever asks for a screen has said of it. */
export type Wanted = {
  readonly area: string
  readonly screen: string
  /** What belongs to the screen's records, where that is asked for: `area/screen/child`. */
  readonly child?: string
  readonly kind: Kind
  readonly route: string
  readonly key: string
  /** A table of its own that the migration makes, or one that exists. */
  readonly table: string
  /** The list whose records a statistic counts, as `area/screen`. */
  readonly of?: string
  /** The area whose records it shows or counts, where that is another one. */
  readonly reads?: string
}

export const KINDS = ['list', 'tree', 'statistic', 'page', 'child'] as const
export type Kind = (typeof KINDS)[number]

/** Texts of a file by its path from the root of the tree. */
export type Files = Record<string, string>

export const folderOf = ({ area, screen }: Pick<Wanted, 'area' | 'screen'>): string => `src/areas/${area}/${screen}`

/** As one says it: `order-review` is an order review. */
export const wordsOf = (name: string): string => name.replaceAll('-', ' ')

/** A property of an object by this name, as the formatter writes it. */
export const property = (name: string): string => (/^[a-z][a-z0-9]*$/i.test(name) ? `.${name}` : `['${name}']`)
export const propertyName = (name: string): string => (/^[a-z][a-z0-9]*$/i.test(name) ? name : `'${name}'`)

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

type Text = readonly [zhCN: string, enUS: string, ptBR: string]

/** What a screen is called until somebody gives it its words, and the texts of its kind. */
export function localeText(name: string, texts: Readonly<Record<string, Text>>): string {
  const words = wordsOf(name)
  const all: Readonly<Record<string, Text>> = { title: [words, capital(words), capital(words)], ...texts }
  const languages = ['zh-CN', 'en-US', 'pt-BR'].map((language, at) => {
    const lines = Object.entries(all).map(([key, text]) => `    ${propertyName(key)}: '${text[at]}',\n`)
    return `  '${language}': {\n${lines.join('')}  },\n`
  })
  return `import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
${languages.join('')}})
`
}

/** Who holds a screen of the demo business whose records others make, until somebody says it better. */
export const holdsText = (actions: string): string => `import type { Story } from '#demo/story.server.ts'

export const demo: Story = { holds: { AUDITOR: ${actions} } }
`

/** The same, with a first record. */
export const recordText = (record: string): string => `import { addRecords } from '#demo/records.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { resource } from './model.ts'

export const demo: Story = {
  holds: { AUDITOR: READ },
  plan: world => addRecords(world, resource, [${record}]),
}
`

/** The first thing a screen promises whatever it shows. */
export const accessTest = ({ area, screen }: Wanted): string => `import { expect, test } from 'vitest'
import { openTestInstance, person } from '../../../../tools/testing/instance.ts'

test('whoever may open the page is told what it shows, and nobody else', async () => {
  const instance = await openTestInstance()
  const admin = await person(instance, { superAdmin: true })
  expect(await admin.get('/${area}/${screen}')).toMatchObject({ code: 0 })
  const other = await person(instance, { grants: {} })
  expect(await other.get('/${area}/${screen}')).toMatchObject({ code: 4003 })
})
`
