import type { App } from '#kit/server/app.ts'
import type { Provider, RefundResult } from './provider.server.ts'

/** Amounts that end in these fen go wrong the first time, so that people can see what then happens. */
const CLOSED_CENTS = 13
const ABNORMAL_CENTS = 14

/** A provider that pays at once and speaks to nobody: the default, until real keys are set. */
export const simulatedProvider = (app: App): Provider => ({
  async refund({ refundNo, amountFen }): Promise<RefundResult> {
    const { tries } = await app.db.query
      .selectFrom('provider_refund')
      .select('tries')
      .where('refund_no', '=', refundNo)
      .executeTakeFirstOrThrow()
    const cents = amountFen % 100
    if (tries === 1 && cents === CLOSED_CENTS)
      return { status: 'CLOSED', providerNo: null, error: 'NOT_ENOUGH: 商户可用余额不足' }
    if (tries === 1 && cents === ABNORMAL_CENTS)
      return { status: 'ABNORMAL', providerNo: null, error: 'USER_ACCOUNT_ABNORMAL: 用户账户异常' }
    return { status: 'SUCCESS', providerNo: `SIM${refundNo}`, error: '' }
  },
  readNotice: () => undefined,
  acknowledgement: { type: 'text/plain', body: 'success' },
})
