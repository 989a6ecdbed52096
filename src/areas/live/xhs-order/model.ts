import * as z from 'zod'
import {
  type PlatformFacts,
  platformFields,
  STATES_WITHOUT_VOUCHER,
  WORKFLOW_WITHOUT_VOUCHER,
} from '#areas/live/platform-order/fields.model.ts'
import { flag } from '#kit/model/field.ts'
import { defineResource } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Orders of the shop on Xiaohongshu: claimed by a link, and looked after in the chat tool. */
export const resource = defineResource({
  screen: area.screens['xhs-order'],
  table: 'platform_order',
  record: z.strictObject({
    ...platformFields({ status: 'XHS_ORDER_STATUS', afterSale: 'XHS_AFTER_SALE' }),
    chatAdded: flag(),
  }),
  title: 'orderNo',
  brief: ['orderNo', 'productName', 'amountFen', 'leadPhone', 'memberId', 'paidAt'],
  list: {
    only: { platform: ['XIAOHONGSHU'], status: STATES_WITHOUT_VOUCHER },
    columns: [
      'orderNo',
      'status',
      'leadPhone',
      'memberId',
      'exception',
      'amountFen',
      'productName',
      'chatAdded',
      'platformStatus',
      'registered',
      'afterSale',
      'refundState',
      'claimedAt',
      'paidAt',
      'ownerId',
      'author',
      'orderId',
    ],
    below: { platformStatus: 'status', paidAt: 'orderNo' },
    filters: [
      'platformStatus',
      'chatAdded',
      'exception',
      'status',
      'afterSale',
      'refundState',
      'registered',
      'claimedAt',
      'paidAt',
      'refundedAt',
      'memberId',
      'ownerId',
      'productName',
      'author',
      'amountFen',
    ],
    sort: ['paidAt', 'claimedAt', 'amountFen'],
    tabs: 'status',
    exceptions: 'exception',
    search: ['orderNo', 'memberId'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  clock: { since: 'paidAt' },
})

export const workflow = defineWorkflowWith<PlatformFacts>()(resource)(WORKFLOW_WITHOUT_VOUCHER)
