import * as z from 'zod'
import {
  MAX_BODY,
  MAX_TITLE,
  MAX_VARIABLES,
  VARIABLE_KINDS,
  VARIABLE_NAME,
  type Variable,
  whyNotSent,
} from '#engines/message/model.ts'
import { EDITION_ARRIVALS, editionFields, editionSteps } from '#kit/model/edition.ts'
import { choice, code, flag, id, instant, lines, optional, paragraphs, text, version } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const variable = z.strictObject({
  name: z.string().regex(VARIABLE_NAME),
  kind: z.enum(VARIABLE_KINDS),
  sample: z.string().trim().max(100),
})

/** What the console and campaigns say to people, as it was published last; what is edited waits as a draft beside it. */
export const resource = defineResource({
  screen: area.screens['message-template'],
  table: 'message_template',
  record: z.strictObject({
    id: id(),
    title: text(MAX_TITLE),
    code: code(40).regex(/^[A-Z][A-Z0-9-]{2,39}$/),
    channel: choice({ WEB: 'busy', SMS: 'done', EMAIL: 'special' }),
    kind: choice({ CODE: 'attention', NOTICE: 'busy', MARKETING: 'special' }),
    body: paragraphs(MAX_BODY),
    variables: lines(variable, MAX_VARIABLES),
    /** What the provider of text messages calls the template it has approved. */
    providerCode: optional(code(64)),
    isShipped: flag(),
    ...editionFields(),
    createdAt: instant(),
    version: version(),
  }),
  title: 'title',
  brief: ['title', 'code', 'channel', 'edition'],
  evidence: ['body', 'variables'],
  list: {
    columns: ['title', 'code', 'channel', 'kind', 'status', 'isShipped', 'edition', 'createdAt'],
    filters: ['status', 'channel', 'kind'],
    sort: [],
    tabs: 'status',
    search: ['title', 'code'],
  },
  create: ['code', 'channel', 'kind', 'title', 'variables', 'body', 'providerCode'],
  edit: ['title', 'variables', 'body', 'providerCode'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  editions: {
    table: 'message_template_edition',
    by: 'template_id',
    lines: { variables: { key: 'name', name: 'name', parts: { kind: 'variable.kind', sample: 'variable.sample' } } },
  },
  scope: 'shared',
})
export type MessageTemplate = RecordOf<typeof resource>

/** Besides what the record and its editions allow: to have it sent to oneself. */
export const actions = ['test']

/** What would go out once the draft is published, and what the console puts into it where it sends it by itself. */
export type Drafted = {
  readonly body: string
  readonly variables: readonly Variable[]
  readonly filledBy: readonly Variable[] | undefined
}

export const workflow = defineWorkflowWith<Drafted>()(resource)({
  field: 'status',
  arrivals: EDITION_ARRIVALS,
  steps: { ...editionSteps, publish: { ...editionSteps.publish, guard: whyNotPublished } },
})

/** Advertising says how one is rid of it; what the console sends has the variables the console fills. */
export function whyNotPublished(
  { channel, kind }: Pick<MessageTemplate, 'channel' | 'kind'>,
  _actor: unknown,
  drafted: Drafted | undefined,
): Refusal | undefined {
  if (!drafted) return undefined
  const { body, variables, filledBy } = drafted
  const known = filledBy?.map(({ name, kind: of }) => `${name} ${of}`)
  const strange = known && variables.find(({ name, kind: of }) => !known.includes(`${name} ${of}`))
  if (strange) return refuse('variable-never-filled', { name: strange.name })
  return whyNotSent({ channel, kind, body })
}

export const reference = defineReference({
  name: 'message-template',
  table: 'message_template',
  label: { name: 'title', note: { column: 'code', personal: null }, tone: null },
  search: ['title', 'code'],
  scope: 'shared',
})
