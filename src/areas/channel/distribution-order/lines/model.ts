import * as z from 'zod'
import { ENTRIES, EVENT_KINDS } from '#engines/settlement/model.ts'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, longText, money, optional, reference } from '#kit/model/field.ts'
import { MAX_FEN } from '#kit/model/money.ts'
import { resource } from '../model.ts'

/** What statements say of an order, line by line: how it was judged, and what was taken back after a refund. */
export const child = defineChild({
  of: resource,
  name: 'lines',
  by: 'distributionId',
  table: 'settlement_line',
  record: z.strictObject({
    id: id(),
    distributionId: optional(id()),
    statementId: optional(reference('statement')),
    happenedAt: instant(),
    kind: optional(choice(EVENT_KINDS)),
    entry: choice(ENTRIES),
    baseFen: optional(money()),
    amountFen: money(-MAX_FEN),
    note: longText(200),
    createdAt: instant(),
  }),
  title: 'entry',
  list: {
    columns: ['statementId', 'createdAt', 'kind', 'entry', 'amountFen', 'baseFen', 'note'],
    filters: [],
    sort: [],
    usual: 'id:asc',
    search: [],
  },
})
