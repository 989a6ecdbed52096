import * as z from 'zod'
import {
  choice,
  code,
  dictionary,
  id,
  instant,
  longText,
  money,
  number,
  optional,
  personal,
  text,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

const MOST = 2_147_483_647
const counted = () => number(0, MOST)
const CONTACT = ['contactName', 'contactPhone', 'contactEmail'] as const

/** Whom we pay for bringing people: everybody who comes by its channel is its. */
export const resource = defineResource({
  screen: area.screens['app-channel'],
  table: 'partner',
  record: z.strictObject({
    id: id(),
    name: text(100),
    company: text(100),
    channel: dictionary('CHANNEL'),
    platform: choice({ ANDROID: 'idle', IOS: 'idle', HARMONY: 'idle', MINI_APP: 'idle', WEB: 'idle' }),
    packageName: optional(code(150)),
    contactName: optional(text(50)),
    contactPhone: optional(personal('phone', 30)),
    contactEmail: optional(personal('email', 100)),
    note: longText(500),
    registered: counted(),
    activated: counted(),
    paidOrders: counted(),
    paidFen: money(),
    settledFen: money(),
    countedAt: optional(instant()),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'company', 'channel'],
  list: {
    columns: [
      'name',
      'channel',
      'platform',
      'registered',
      'activated',
      'paidOrders',
      'paidFen',
      'settledFen',
      'company',
      'packageName',
      'contactName',
      'contactPhone',
      'countedAt',
      'createdAt',
    ],
    below: { company: 'name', contactPhone: 'contactName' },
    filters: ['platform', 'channel', 'createdAt'],
    sort: ['registered', 'paidFen', 'settledFen', 'createdAt'],
    usual: 'registered:desc',
    search: ['name', 'company', 'packageName'],
  },
  // Whose people they were is not changed later: another channel is another partner.
  create: ['name', 'company', 'channel', 'platform', 'packageName', ...CONTACT, 'note'],
  edit: ['name', 'company', 'platform', 'packageName', ...CONTACT, 'note'],
  actions: ['list', 'detail', 'create', 'update', 'export', 'reveal'],
  scope: 'shared',
})
export type Partner = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'app-channel',
  table: 'partner',
  label: { name: 'name', note: { column: 'company', personal: null }, tone: null },
  search: ['name', 'company'],
  scope: 'shared',
})
