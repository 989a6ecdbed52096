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
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { MAX_PRICE_FEN } from '#kit/model/money.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

const MOST = 2_147_483_647
const counted = () => number(0, MOST)
const ABOUT = ['name', 'platform', 'account', 'followers', 'postFen', 'note'] as const

/** Somebody whose posts bring people. Prices, orders and statements are those of the partner it is paid as. */
export const resource = defineResource({
  screen: area.screens.author,
  table: 'author',
  record: z.strictObject({
    id: id(),
    name: text(100),
    platform: choice({
      DOUYIN: 'idle',
      XIAOHONGSHU: 'idle',
      WECHAT_CHANNELS: 'idle',
      BILIBILI: 'idle',
      KUAISHOU: 'idle',
    }),
    account: code(64),
    followers: counted(),
    postFen: optional(money(1, MAX_PRICE_FEN)),
    partnerId: ref('app-channel'),
    note: longText(500),
    registered: counted(),
    paidOrders: counted(),
    paidFen: money(),
    refundedFen: money(),
    commissionFen: money(),
    countedAt: optional(instant()),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'platform', 'account', 'partnerId'],
  list: {
    columns: [
      'name',
      'platform',
      'account',
      'followers',
      'postFen',
      'registered',
      'paidOrders',
      'paidFen',
      'refundedFen',
      'commissionFen',
      'partnerId',
      'countedAt',
      'createdAt',
    ],
    below: { account: 'name', refundedFen: 'paidFen' },
    filters: ['platform', 'partnerId', 'createdAt'],
    sort: ['followers', 'paidFen', 'commissionFen', 'createdAt'],
    usual: 'paidFen:desc',
    search: ['name', 'account'],
  },
  create: ABOUT,
  // Whom to pay, and for what comes by which channel: the partner that is made with it.
  asks: {
    company: text(100),
    channel: dictionary('CHANNEL'),
    contactName: optional(text(50)),
    contactPhone: optional(personal('phone', 30)),
    contactEmail: optional(personal('email', 100)),
  },
  edit: ABOUT,
  actions: ['list', 'detail', 'create', 'update', 'export'],
  scope: 'shared',
})
export type Author = RecordOf<typeof resource>
