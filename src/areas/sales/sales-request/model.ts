import * as z from 'zod'
import { giftKind, giftQuantity, resource as member } from '#areas/members/member/model.ts'
import { numbersEnding } from '#engines/sequence/model.ts'
import { code, day, money, number, optional, personal, reference as ref } from '#kit/model/field.ts'
import { defineRequests, REQUEST_WORKFLOW, requestFields } from '#kit/model/request.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { settings } from './settings.model.ts'

/** What a consultant may not do alone: have somebody's lead, claim more than others on a day, sell below the price, give. */
export const resource = defineResource({
  screen: area.screens['sales-request'],
  table: 'sales_request',
  record: z.strictObject({
    ...requestFields({ TAKE_OVER: 'idle', EXTRA_QUOTA: 'idle', DISCOUNT: 'idle', GIFT: 'idle' }),
    requestNo: code(14),
    leadPhone: optional(personal('phone', 20)),
    /** Whose the lead was, once it was taken over. */
    fromId: optional(ref('staff')),
    poolId: optional(ref('lead-pool')),
    quotaDay: optional(day()),
    extraClaims: optional(number(1, 200)),
    productId: optional(ref('product')),
    /** What it costs without a discount, on the day it was asked for. */
    listFen: optional(money(1)),
    priceFen: optional(money(1)),
    usableUntil: optional(day()),
    giftToId: optional(ref('member')),
    giftKind: optional(giftKind),
    quantity: optional(giftQuantity()),
    couponId: optional(ref('coupon')),
  }),
  title: 'requestNo',
  brief: [
    'requestNo',
    'kind',
    'applicantId',
    'leadPhone',
    'poolId',
    'quotaDay',
    'extraClaims',
    'productId',
    'listFen',
    'priceFen',
    'giftToId',
    'giftKind',
    'quantity',
    'couponId',
  ],
  evidence: ['reason'],
  list: {
    columns: [
      'requestNo',
      'status',
      'kind',
      'applicantId',
      'reason',
      'leadPhone',
      'productId',
      'priceFen',
      'listFen',
      'extraClaims',
      'giftToId',
      'quantity',
      'createdAt',
      'poolId',
      'quotaDay',
      'usableUntil',
      'giftKind',
      'couponId',
      'fromId',
      'needsL2',
      'expiresAt',
    ],
    below: {
      createdAt: 'requestNo',
      reason: 'applicantId',
      leadPhone: 'kind',
      poolId: 'kind',
      productId: 'kind',
      giftToId: 'kind',
      listFen: 'priceFen',
    },
    filters: ['status', 'kind', 'applicantId', 'createdAt'],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['requestNo'],
    ending: numbersEnding('Q'),
  },
  create: [
    'kind',
    'leadPhone',
    'poolId',
    'quotaDay',
    'extraClaims',
    'productId',
    'priceFen',
    'giftToId',
    'giftKind',
    'quantity',
    'couponId',
    'reason',
  ],
  actions: ['list', 'detail', 'create', 'export', 'reveal'],
  scope: 'owned',
  carer: 'applicantId',
  asked: { by: 'applicantId', state: 'status' },
  clock: { since: 'stateSince', hours: { SUBMITTED: 24, L1_APPROVED: 24 } },
})
export type SalesRequest = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'sales-request',
  table: 'sales_request',
  label: { name: 'request_no', note: null, tone: 'status' },
  offered: { column: 'status', values: ['APPROVED'] },
  search: ['request_no'],
  scope: 'owned',
  carer: 'applicant_id',
})

export const workflow = defineWorkflow(resource)(REQUEST_WORKFLOW)

type Prices = { readonly listFen: number | null; readonly priceFen: number | null }

/** What is taken off, in percent of the price. */
export const percentOff = ({ listFen, priceFen }: Prices): number =>
  listFen === null || priceFen === null ? 0 : ((listFen - priceFen) * 100) / listFen

const claims = { page: area.screens.salvage.key, action: 'claim' }

export const requests = defineRequests(resource, {
  always: ['reason'],
  settings,
  kinds: {
    TAKE_OVER: { asks: () => ['leadPhone'], by: claims, levels: () => 1, days: 7 },
    EXTRA_QUOTA: { asks: () => ['poolId', 'quotaDay', 'extraClaims'], by: claims, levels: () => 1, days: 3 },
    DISCOUNT: {
      asks: () => ['productId', 'priceFen'],
      by: claims,
      levels: (request, { l2Percent }) => (percentOff(request) > l2Percent ? 2 : 1),
      days: 7,
    },
    // Who has used up the own allowance asks somebody whose allowance it then is (decision 012).
    GIFT: {
      asks: entered =>
        entered.giftKind === 'COUPON' ? ['giftToId', 'giftKind', 'couponId'] : ['giftToId', 'giftKind', 'quantity'],
      by: { page: member.screen.key, action: 'list' },
      levels: () => 1,
      days: 7,
    },
  },
})
