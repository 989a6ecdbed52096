/** Who moves money for us. Offline money and the platforms' own are recorded, never moved. */
export const PROVIDERS = ['WECHAT', 'ALIPAY'] as const
export type ProviderName = (typeof PROVIDERS)[number]
/** Offline money is examined before it is stored, a platform's is told by the platform. */
export type PaymentSource = ProviderName | 'OFFLINE' | 'PLATFORM'
/** Why money fits nothing. */
export type StrayReason = 'CLOSED' | 'TWICE' | 'AMOUNT' | 'EXAMINING' | 'UNAVAILABLE' | 'RECORDED' | 'UNKNOWN'

/** Money somebody paid, in our units: each provider converts its own at the border. */
type PaidNotice = {
  readonly kind: 'paid'
  readonly orderNo: string
  readonly providerNo: string
  readonly amountFen: number
  readonly paidAt: Date
}
type RefundStatus = 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
export type RefundResult = {
  readonly status: RefundStatus
  /** The provider's own number of the refund. */
  readonly providerNo: string | null
  /** Why not, in the provider's words. */
  readonly error: string
}
export type RefundNotice = RefundResult & {
  readonly kind: 'refund'
  readonly refundNo: string
  /** How much went back, where the provider says it of this refund alone. */
  readonly amountFen: number | null
}
export type Notice = PaidNotice | RefundNotice

export type RefundOrder = {
  /** The same however often it is tried: a repeated wish is the same refund. */
  readonly refundNo: string
  readonly paymentProviderNo: string
  readonly orderNo: string
  readonly amountFen: number
  readonly paidFen: number
}

export type Provider = {
  /** Throws AskAgain when the provider could not be reached or has to be asked later. */
  refund(order: RefundOrder): Promise<RefundResult>
  /** Reads a notification; throws a refusal when its signature is not the provider's. */
  readNotice(headers: Readonly<Record<string, string | undefined>>, body: Buffer): Notice | undefined
  /** What the provider wants to hear when a notification was taken. */
  readonly acknowledgement: { readonly type: string; readonly body: string }
}
