import * as z from 'zod'
import {
  type PlatformFacts,
  platformFields,
  STATES_WITHOUT_VOUCHER,
  WORKFLOW_WITHOUT_VOUCHER,
} from '#areas/live/platform-order/fields.model.ts'
import { defineResource } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Orders of the shop in WeChat Channels. */
export const resource = defineResource({
  screen: area.screens['channel-order'],
  table: 'platform_order',
  record: z.strictObject(platformFields({ status: 'CHANNELS_ORDER_STATUS', afterSale: 'CHANNELS_AFTER_SALE' })),
  title: 'orderNo',
  brief: ['orderNo', 'productName', 'amountFen', 'leadPhone', 'memberId', 'paidAt'],
  list: {
    only: { platform: ['WECHAT_SHOP'], status: STATES_WITHOUT_VOUCHER },
    columns: [
      'orderNo',
      'status',
      'leadPhone',
      'memberId',
      'exception',
      'amountFen',
      'productName',
      'platformStatus',
      'phoneKind',
      'registered',
      'afterSale',
      'refundState',
      'paidAt',
      'ownerId',
      'author',
      'room',
      'orderId',
    ],
    below: { platformStatus: 'status', phoneKind: 'leadPhone', paidAt: 'orderNo' },
    filters: [
      'platformStatus',
      'afterSale',
      'exception',
      'status',
      'refundState',
      'registered',
      'paidAt',
      'refundedAt',
      'memberId',
      'ownerId',
      'productName',
      'author',
      'room',
      'amountFen',
    ],
    sort: ['paidAt', 'amountFen'],
    tabs: 'status',
    exceptions: 'exception',
    search: ['orderNo', 'memberId'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  clock: { since: 'paidAt' },
})

export const workflow = defineWorkflowWith<PlatformFacts>()(resource)(WORKFLOW_WITHOUT_VOUCHER)
