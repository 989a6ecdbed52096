import * as z from 'zod'
import { ENTRIES, EVENT_KINDS } from '#engines/settlement/model.ts'
import { defineChild } from '#kit/model/child.ts'
import { choice, id, instant, longText, money, optional, reference } from '#kit/model/field.ts'
import { MAX_FEN } from '#kit/model/money.ts'
import { resource } from '../model.ts'

/** What a statement consists of: each event with whose it is and why it counts or not, and what was added and taken off besides. */
export const child = defineChild({
  of: resource,
  name: 'lines',
  by: 'statementId',
  table: 'settlement_line',
  record: z.strictObject({
    id: id(),
    statementId: optional(reference('statement')),
    part: choice({ COUNTED: 'done', NOT_COUNTED: 'idle', ADJUSTED: 'special' }),
    happenedAt: instant(),
    memberId: optional(reference('member')),
    orderId: optional(reference('order')),
    kind: optional(choice(EVENT_KINDS)),
    entry: choice(ENTRIES),
    baseFen: optional(money()),
    amountFen: money(-MAX_FEN),
    note: longText(200),
  }),
  title: 'entry',
  list: {
    columns: ['happenedAt', 'memberId', 'kind', 'entry', 'amountFen', 'baseFen', 'orderId', 'note'],
    filters: ['entry', 'kind', 'memberId', 'part'],
    sort: ['happenedAt', 'amountFen'],
    usual: 'happenedAt:asc',
    tabs: 'part',
    search: [],
  },
})
