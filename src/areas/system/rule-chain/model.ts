import * as z from 'zod'
import type { Known } from '#engines/rule/checker.model.ts'
import { NODE_TYPES } from '#engines/rule/form.model.ts'
import { EDITION_ARRIVALS, editionFields, editionSteps } from '#kit/model/edition.ts'
import { code, flag, id, inDetail, instant, longText, text, version } from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const CHAIN_ID = /^[A-Za-z_][A-Za-z0-9_]*$/
export const MAX_SOURCE = 10_000
export const MAX_FACTS = 10_000

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
    ...editionFields(),
    createdAt: instant(),
    /** Names of the chains this one stands in. */
    usedBy: inDetail(z.array(z.string())),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'chainId', 'edition'],
  list: {
    columns: ['name', 'chainId', 'status', 'enabled', 'edition', 'note', 'createdAt'],
    filters: ['status', 'enabled'],
    sort: [],
    tabs: 'status',
    search: ['name', 'chainId'],
  },
  create: ['name', 'chainId', 'note', 'enabled', 'source'],
  edit: ['name', 'note', 'enabled', 'source'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  editions: { table: 'rule_chain_edition', by: 'chain_record_id', lines: {} },
  scope: 'shared',
})
export type RuleChain = RecordOf<typeof resource>

/** Whoever may try a chain sees each of its steps; nothing of it is kept. */
export const actions = ['try'] as const

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: EDITION_ARRIVALS,
  steps: editionSteps,
})

/** What chains may speak of: published scripts, and other chains that are published and enabled. */
export const known = z.strictObject({
  nodes: z.array(z.strictObject({ id: z.string(), name: z.string(), type: z.enum(NODE_TYPES) })),
  chains: z.array(z.strictObject({ id: z.string(), name: z.string() })),
})
export type KnownNames = z.infer<typeof known>

/** As the judge of a chain asks for them. */
export const knowing = ({ nodes, chains }: KnownNames): Known => ({
  nodes: new Map(nodes.map(({ id: nodeId, type }) => [nodeId, type])),
  chains: new Set(chains.map(({ id: chainId }) => chainId)),
})

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
