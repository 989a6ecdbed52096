import * as z from 'zod'
import { PARAMETER_KINDS } from '#engines/rule/fact.model.ts'
import { NODE_TYPES } from '#engines/rule/form.model.ts'
import { EDITION_ARRIVALS, editionFields, editionSteps } from '#kit/model/edition.ts'
import { code, flag, id, inDetail, instant, longText, optional, text, version } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith, WRONG_STATE } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { type Drafted, publishedByAnother } from '../rule-author.model.ts'
import { fact } from './fact.model.ts'

const CHAIN_ID = /^[A-Za-z_][A-Za-z0-9_]*$/
export const MAX_SOURCE = 10_000
/** An order has many lines. */
export const MAX_FACTS = 40_000

/** What is done in which order, and on what it depends: the text of a chain (decision 055). */
export const resource = defineResource({
  screen: area.screens['rule-chain'],
  table: 'rule_chain',
  record: z.strictObject({
    id: id(),
    name: text(100),
    chainId: code(64).regex(CHAIN_ID),
    source: longText(MAX_SOURCE),
    note: longText(200),
    enabled: flag(),
    /** What happens to a record when it runs; without one it is there for other chains. */
    event: optional(code(64).regex(CHAIN_ID)),
    /** Since when it fails, so that the shipped one decides; nothing once somebody has looked at it. */
    failedAt: optional(instant()),
    failure: longText(500),
    ...editionFields(),
    createdAt: instant(),
    /** Names of the chains this one stands in. */
    usedBy: inDetail(z.array(z.string())),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'chainId', 'edition'],
  list: {
    columns: ['name', 'chainId', 'event', 'status', 'enabled', 'edition', 'failedAt', 'note', 'createdAt'],
    filters: ['status', 'enabled'],
    sort: [],
    tabs: 'status',
    search: ['name', 'chainId'],
  },
  create: ['name', 'chainId', 'event', 'source', 'note', 'enabled'],
  edit: ['name', 'event', 'source', 'note', 'enabled'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  editions: { table: 'rule_chain_edition', by: 'chain_record_id', lines: {} },
  scope: 'shared',
})
export type RuleChain = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'rule-chain',
  table: 'rule_chain',
  label: { name: 'name', note: { column: 'chain_id', personal: null }, tone: null },
  search: ['name'],
  scope: 'shared',
})

/** Whoever may try a chain sees each of its steps; nothing of it is kept. */
export const actions = ['try'] as const

export const workflow = defineWorkflowWith<Drafted>()(resource)({
  field: 'status',
  arrivals: EDITION_ARRIVALS,
  steps: {
    ...editionSteps,
    publish: publishedByAnother,
    acknowledge: {
      from: ['PUBLISHED', 'CHANGED'],
      guard: somethingFailed,
      awaits: true,
      shows: ['failure'],
      aside: true,
      alone: true,
      back: 'stays',
    },
  },
})

function somethingFailed({ failedAt, status }: Pick<RuleChain, 'failedAt' | 'status'>): Refusal | undefined {
  // No news: most chains run without an error, and wait for nobody.
  if (failedAt === null) return refuse(WRONG_STATE, { state: `status.${status}` })
}

const parameter = z.strictObject({
  name: z.string(),
  kind: z.enum(PARAMETER_KINDS),
  /** What may be bound, where not everything may. */
  values: z.array(z.string()).nullable(),
})
/** The facts it asks for, and those it adds; nothing where it may add whatever it likes. */
const factUse = { reads: z.array(z.string()), answers: z.array(z.string()).nullable() }

/** What chains may speak of: nodes of code, published scripts, other chains that are published and enabled; and the events there are. */
export const known = z.strictObject({
  nodes: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      type: z.enum(NODE_TYPES),
      about: z.string(),
      /** Of a node of code: what has to be bound to it. Scripts have none of their own. */
      parameters: z.array(parameter).nullable(),
      ...factUse,
      /** Whether it has something done besides what the chain decides. */
      does: z.boolean(),
    }),
  ),
  /** `does`: whether one of its nodes does, or one of a chain it asks. */
  chains: z.array(z.strictObject({ id: z.string(), name: z.string(), does: z.boolean(), ...factUse })),
  events: z.array(
    z.strictObject({
      name: z.string(),
      title: z.string(),
      /** The screen of the records it happens to, and the field they are called by. */
      screen: z.string(),
      number: z.string(),
      facts: z.array(fact),
      /** The chain that was shipped: what happens without one of one's own. */
      shipped: z.string(),
      /** Whether its chains may have something done besides: those about money may not. */
      letsDo: z.boolean(),
    }),
  ),
})
export type KnownNames = z.infer<typeof known>

/** A record of an event: what a chain would know of it, as JSON. */
export const askedFacts = z.strictObject({ event: code(64), recordId: id() })
export const recordFacts = z.strictObject({ facts: z.string() })
export type RecordFacts = z.infer<typeof recordFacts>

/** No chain is called so: what is tried stands beside what is published. */
export const TRIED = '(draft)'

export const tryBody = z.strictObject({
  source: resource.record.shape.source,
  /** JSON of what is known of the record. */
  facts: z.string().max(MAX_FACTS),
})
const failure = z.strictObject({ code: z.string(), message: z.string() }).nullable()
export const tried = z.strictObject({
  error: failure,
  /** As JSON: what is known at the end. */
  facts: z.string(),
  steps: z.array(
    z.strictObject({
      nodeId: z.string(),
      chainId: z.string(),
      /** Where it stands in the text of that chain: the number of characters before it. */
      place: z.int(),
      tag: z.string().nullable(),
      ms: z.int(),
      input: z.string(),
      output: z.string().nullable(),
      error: failure,
    }),
  ),
})
export type Tried = z.infer<typeof tried>
