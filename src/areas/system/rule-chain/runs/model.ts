import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, code, id, instant, longText, number, optional, reference } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { resource } from '../model.ts'

/** What a chain decided about each record its event happened to. */
export const child = defineChild({
  of: resource,
  name: 'runs',
  by: 'chainRecordId',
  table: 'rule_run',
  record: z.strictObject({
    id: id(),
    /** Nobody's where the chain was switched off just before. */
    chainRecordId: optional(reference('rule-chain')),
    recordNo: code(64),
    result: choice({ DECIDED: 'done', FELL_BACK: 'failed' }),
    /** None where the chain that was shipped decided. */
    edition: number(0, 1_000_000),
    outcome: code(2_000),
    ms: number(0, 1_000_000),
    fault: optional(longText(500)),
    createdAt: instant(),
  }),
  title: 'recordNo',
  list: {
    columns: ['createdAt', 'recordNo', 'result', 'edition', 'outcome', 'ms', 'fault'],
    filters: ['result', 'createdAt'],
    sort: [],
    tabs: 'result',
    search: [],
  },
})
export type ChainRun = RecordOf<typeof child.resource>
