import * as z from 'zod'
import { fact } from '#areas/system/rule-chain/fact.model.ts'
import { EDITION_ARRIVALS, editionFields, editionSteps } from '#kit/model/edition.ts'
import { choice, code, id, inDetail, instant, longText, text, version } from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { type Drafted, publishedByAnother } from '../rule-author.model.ts'

/** A chain calls a script by its id, bare, so that it looks like a name. */
const NODE_ID = /^[A-Za-z_][A-Za-z0-9_]*$/
export const MAX_SOURCE = 10_000
/** An order has many lines. */
export const MAX_FACTS = 40_000

/** JavaScript that chains ask: it acts, or answers yes or no, where to go on, or how often (decision 055). */
export const resource = defineResource({
  screen: area.screens['rule-script'],
  table: 'rule_script',
  record: z.strictObject({
    id: id(),
    name: text(100),
    nodeId: code(64).regex(NODE_ID),
    type: choice({ script: 'idle', boolean_script: 'idle', switch_script: 'idle', for_script: 'idle' }),
    source: longText(MAX_SOURCE),
    note: longText(200),
    ...editionFields(),
    createdAt: instant(),
    /** Names of the chains that ask it. */
    usedBy: inDetail(z.array(z.string())),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'nodeId', 'edition'],
  list: {
    columns: ['name', 'nodeId', 'type', 'status', 'edition', 'note', 'createdAt'],
    filters: ['status', 'type'],
    sort: [],
    tabs: 'status',
    search: ['name', 'nodeId'],
  },
  create: ['name', 'nodeId', 'type', 'note', 'source'],
  edit: ['name', 'note', 'source'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  editions: { table: 'rule_script_edition', by: 'script_id', lines: {} },
  scope: 'shared',
})
export type RuleScript = RecordOf<typeof resource>

/** Whoever may try a script sees what it answers; nothing of it is kept. */
export const actions = ['try'] as const

export const workflow = defineWorkflowWith<Drafted>()(resource)({
  field: 'status',
  arrivals: EDITION_ARRIVALS,
  steps: { ...editionSteps, publish: publishedByAnother },
})

export const tryBody = z.strictObject({
  type: resource.record.shape.type,
  source: resource.record.shape.source,
  /** JSON of what the script is to know. */
  facts: z.string().max(MAX_FACTS),
})
export const tried = z.strictObject({
  /** As JSON; what a script that acts put aside is part of it. */
  answer: z.string().nullable(),
  ms: z.int(),
  error: z.strictObject({ code: z.string(), message: z.string(), line: z.int().nullable() }).nullable(),
})
export type Tried = z.infer<typeof tried>

/** What scripts may ask of the events there are. */
export const known = z.strictObject({
  facts: z.array(fact),
  /** Names of facts that nodes and scripts add. */
  added: z.array(z.string()),
})
export type KnownFacts = z.infer<typeof known>

/** What a new script of each type begins with. */
export const TEMPLATES: Readonly<Record<RuleScript['type'], string>> = {
  script: 'return { risk: facts.amountFen > 100000 ? 2 : 1 }',
  boolean_script: 'return facts.amountFen > 100000',
  switch_script: "return facts.channel === 'DOUYIN' ? 'near' : 'far'",
  for_script: 'return Math.min(3, facts.lines.length)',
}
