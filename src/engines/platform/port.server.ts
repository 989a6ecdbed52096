/** Shops of other platforms that sell for us. */
export const SHOPS = ['douyin', 'wechat-shop', 'xiaohongshu'] as const
export type Shop = (typeof SHOPS)[number]

/** What a platform says of one of its orders now, in our units: each adapter converts its own at the border. */
export type ShopOrder = {
  readonly orderNo: string
  /** When it was last changed there. */
  readonly at: string
  readonly paidAt?: string | undefined
  readonly isClosed?: boolean | undefined
  readonly product?: string | undefined
  readonly skuId?: string | undefined
  readonly productCode?: string | undefined
  readonly amountFen?: number | undefined
  readonly status?: string | undefined
  readonly afterSale?: string | undefined
  readonly isRefundAsked?: boolean | undefined
  readonly buyerMobile?: string | undefined
  readonly isVirtual?: boolean | undefined
  readonly unionid?: string | undefined
  /** The link the course is claimed by. */
  readonly state?: string | undefined
  readonly author?: string | undefined
  readonly room?: string | undefined
  readonly certificate?:
    | { readonly id: string; readonly code?: string | undefined; readonly last4?: string | undefined }
    | undefined
}

/** What became of a verification, or of taking one back; `error` in the platform's words. */
export type Verification =
  | { readonly isDone: true; readonly verifyId: string | null }
  | { readonly isDone: false; readonly error: string }

export type Certified = {
  readonly orderNo: string
  readonly certificateId: string
  /** As the platform hands it out, sealed: it takes it back as it is. */
  readonly code: string | null
}

/** Certificates that are verified where the course is claimed. The same key again is the same question. */
export type CertificateDoor = {
  verify(certified: Certified, key: string): Promise<Verification>
  /** Within the hour; later the platform refuses. */
  cancel(certified: Certified & { readonly verifyId: string }, key: string): Promise<Verification>
}

/** What a form was sent under, as the platform names it. */
type SentForm = {
  readonly formNo: string
  readonly campaign: string | null
  readonly unit: string | null
  readonly creativity: string | null
}

/** What became of a report; nobody may know, where the answer was lost on its way. */
export type Reported = { readonly state: 'SENT' } | { readonly state: 'REFUSED' | 'UNKNOWN'; readonly error: string }

/** The platform was not reached, and so has heard nothing: the only failure after which a report is made again by itself. */
export class NotReached extends Error {}

/** Forms people sent from ads: the platform is told which of them led to somebody. It counts every report it gets. */
export type FormDoor = { reportValid(form: SentForm, key: string): Promise<Reported> }

/** An entry of an account's menu, as the platform takes it: with what stands below it, or with what a tap does. */
export type MenuButton = {
  readonly name: string
  readonly type?: 'view' | 'click'
  readonly url?: string
  readonly key?: string
  readonly sub_button?: readonly MenuButton[]
}

/** An account people follow. Whoever does not know how a call ended says UNKNOWN; who was not reached at all throws `NotReached`. */
export type AccountDoor = {
  publishMenu(appId: string, buttons: readonly MenuButton[], key: string): Promise<Reported>
  /** What a code leads to that tells this state when it is scanned. Asked again, it is another code for the same. */
  sceneLink(
    appId: string,
    state: string,
    seconds: number | null,
  ): Promise<{ readonly link: string } | { readonly error: string }>
  answer(appId: string, openid: string, text: string, key: string): Promise<Reported>
}

/** A platform's orders, as far as we ask for them; nothing where it has nothing to say. */
export type OrderDoor = { orderOf(orderNo: string): Promise<ShopOrder | undefined> }
