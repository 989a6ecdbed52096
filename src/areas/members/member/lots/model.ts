import * as z from 'zod'
import { GRANT_KINDS, MAX_HELD, SOURCES } from '#engines/entitlement/model.ts'
import { defineChild } from '#kit/model/child.ts'
import { choice, day, id, number, optional, reference, type Tone, text } from '#kit/model/field.ts'
import type { RecordOf } from '#kit/model/resource.ts'
import { resource } from '../model.ts'

type LotKind = Exclude<(typeof GRANT_KINDS)[number], 'GOODS'>
export const LOT_KINDS = GRANT_KINDS.filter((kind): kind is LotKind => kind !== 'GOODS')
const plain = <T extends string>(values: readonly T[]) =>
  Object.fromEntries(values.map(value => [value, 'idle'])) as Record<T, Tone>

/** What a member was given of each kind, and what is left of it. */
export const child = defineChild({
  of: resource,
  name: 'lots',
  by: 'memberId',
  table: 'entitlement_lot',
  record: z.strictObject({
    id: id(),
    memberId: reference('member'),
    kind: choice(plain(LOT_KINDS)),
    name: text(100),
    source: choice(plain(SOURCES)),
    quantity: number(1, MAX_HELD),
    remaining: number(-MAX_HELD, MAX_HELD),
    frozen: number(0, MAX_HELD),
    grantedOn: day(),
    expiresOn: optional(day()),
  }),
  title: 'name',
  list: {
    columns: ['name', 'source', 'quantity', 'remaining', 'frozen', 'grantedOn', 'expiresOn'],
    filters: ['kind'],
    sort: [],
    tabs: 'kind',
    search: [],
  },
})
export type Lot = RecordOf<typeof child.resource>
