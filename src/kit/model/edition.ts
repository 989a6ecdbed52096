import * as z from 'zod'
import { choice, type FieldKind, fieldMeta, number } from './field.ts'
import type { Resource } from './resource.ts'

/** Where a record that is published in editions stands: never published, as published, or with a draft beside it. */
const STATES = { DRAFT: 'idle', PUBLISHED: 'done', CHANGED: 'attention' } as const

/** What every such record has: the number of what is published, none before the first, and whether somebody works at the next. */
export const editionFields = () => ({ edition: number(0, 1_000_000), status: choice(STATES) })

/** How such a record comes to its states without a step: it is made, and edited. */
export const EDITION_ARRIVALS = ['DRAFT', 'CHANGED'] as const

/** Rights of its page besides those to its steps: to read drafts, and to publish an older edition again. */
export const EDITION_ACTIONS = ['drafts', 'restore'] as const

/** Each of them names the version of the record that was seen, so none of them is taken for many. */
export const editionSteps = {
  publish: { from: ['DRAFT', 'CHANGED'], to: 'PUBLISHED', alone: true, back: 'stays' },
  /** Whoever threw a draft away by mistake has it back. */
  discard: { from: ['CHANGED'], to: 'PUBLISHED', aside: true, alone: true, back: 'undo' },
} as const

/**
 * Whether a field is what the record consists of, and not what it is called or measured by: lines, and words no list shows. Before
 * the first edition they are the draft's alone, so that whoever may not read drafts does not.
 */
export function isContent({ editions, edit, list, record }: Resource, field: string): boolean {
  if (!editions || !edit.includes(field)) return false
  const { kind } = fieldMeta(record.shape[field] as z.ZodType)
  return field in editions.lines || (WORDS.has(kind) && !list.columns.includes(field))
}
const WORDS: ReadonlySet<FieldKind> = new Set(['text', 'long-text', 'code'])

/** Counted as far as this: then it is enough to know that there are many. */
export const MOST_USES = 1_000

/** What holds an edition: how many, and the newest of them as far as the reader may see them. */
const use = z.strictObject({
  /** The key of its name in the slice's texts. */
  name: z.string(),
  count: z.int(),
  links: z.array(z.strictObject({ name: z.string(), path: z.string() })),
})
export type Use = Readonly<z.infer<typeof use>>

export const publishedEdition = z.strictObject({
  edition: z.int(),
  publishedBy: z.string(),
  publishedAt: z.string(),
  /** The edition whose body it has, where one was published again. */
  restores: z.int().nullable(),
  uses: z.array(use),
})
export type PublishedEdition = Readonly<z.infer<typeof publishedEdition>>

const body = z.record(z.string(), z.unknown())
export type Body = z.infer<typeof body>
export const editionBody = body

export const draftEdition = z.strictObject({
  /** The edition it was begun from. */
  base: z.int(),
  body,
  draftedBy: z.string(),
  draftedAt: z.string(),
})
export type DraftEdition = Readonly<z.infer<typeof draftEdition>>

/** A draft that was begun from an edition which is no longer the published one: what it says, and what it was made from. */
export const staleDraft = z.strictObject({ mine: body, base: body })
export type StaleDraft = Readonly<z.infer<typeof staleDraft>>
