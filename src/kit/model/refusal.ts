/** A "no" the person can understand and act on. Anything else that goes wrong is a bug and is thrown as an Error. */
export type Refusal = { readonly code: string; readonly params?: Readonly<Record<string, string | number>> }

/** What a refusal is about; the route layer turns it into the wire's code and HTTP status (docs/architecture.md). */
export type RefusalKind =
  | 'parameter'
  | 'session'
  | 'permission'
  | 'not-found'
  | 'validation'
  | 'rule'
  | 'conflict'
  | 'too-many'
  | 'unavailable'

/** `code` is the key of the text in the slice's locale, or `area/screen:key` for another slice's. */
export const refuse = (code: string, params?: Refusal['params']): Refusal => (params ? { code, params } : { code })

export class Refused extends Error {
  override name = 'Refused'
  readonly refusal: Refusal
  readonly kind: RefusalKind
  /** Per-field refusals, shown beside the inputs they speak of. */
  readonly fields: Readonly<Record<string, Refusal>> | undefined
  /** What the person needs to go on, such as the newer version after a conflict. */
  readonly detail: unknown

  constructor(
    refusal: Refusal,
    kind: RefusalKind = 'rule',
    more: { fields?: Readonly<Record<string, Refusal>>; detail?: unknown } = {},
  ) {
    super(refusal.code)
    this.refusal = refusal
    this.kind = kind
    this.fields = more.fields
    this.detail = more.detail
  }
}
