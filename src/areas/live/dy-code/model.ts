import * as z from 'zod'
import {
  ARRIVALS,
  commonSteps,
  mayCancel,
  mayVerify,
  type PlatformFacts,
  platformFields,
  verifyFields,
} from '#areas/live/platform-order/fields.model.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Certificates of the short-video platform: bought there, claimed and verified here. */
export const resource = defineResource({
  screen: area.screens['dy-code'],
  table: 'platform_order',
  record: z.strictObject({
    ...platformFields({ status: 'DOUYIN_ORDER_STATUS', afterSale: 'DOUYIN_AFTER_SALE' }),
    ...verifyFields,
  }),
  title: 'orderNo',
  brief: ['orderNo', 'last4', 'productName', 'amountFen', 'leadPhone', 'memberId', 'paidAt'],
  list: {
    only: { platform: ['DOUYIN'] },
    columns: [
      'orderNo',
      'last4',
      'status',
      'leadPhone',
      'memberId',
      'exception',
      'amountFen',
      'productName',
      'verifyState',
      'verifiedAt',
      'registered',
      'refundState',
      'paidAt',
      'claimedAt',
      'ownerId',
      'author',
      'room',
      'platformStatus',
      'orderId',
    ],
    below: { platformStatus: 'status', verifiedAt: 'verifyState', paidAt: 'orderNo' },
    filters: [
      'exception',
      'verifyState',
      'status',
      'refundState',
      'registered',
      'paidAt',
      'claimedAt',
      'verifiedAt',
      'refundedAt',
      'memberId',
      'ownerId',
      'productName',
      'platformStatus',
      'author',
      'room',
      'amountFen',
    ],
    sort: ['paidAt', 'amountFen', 'verifiedAt'],
    tabs: 'status',
    exceptions: 'exception',
    search: ['orderNo', 'last4', 'memberId'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  clock: { since: 'paidAt' },
})
export type DyCode = RecordOf<typeof resource>

export const workflow = defineWorkflowWith<PlatformFacts>()(resource)({
  field: 'status',
  arrivals: ARRIVALS,
  path: () => ['status.BOUGHT', 'status.CLAIMED', 'status.REGISTERED', 'status.VERIFIED'],
  steps: {
    verify: { from: ['BOUGHT', 'CLAIMED', 'REGISTERED'], guard: mayVerify, back: 'stays' },
    cancelVerify: {
      from: ['VERIFIED'],
      guard: mayCancel,
      reason: true,
      danger: true,
      aside: true,
      shows: ['verifiedAt'],
      back: 'stays',
    },
    ...commonSteps,
  },
})
