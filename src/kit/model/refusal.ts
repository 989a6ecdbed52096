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
  | 'second-step'
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
  /** When to come back, for whoever is told "too many" or "not now". */
  readonly retrySeconds: number | undefined
  /** The address where it can be asked for, by whoever may not do it alone. */
  readonly instead: string | undefined

  constructor(
    refusal: Refusal,
    kind: RefusalKind = 'rule',
    more: {
      fields?: Readonly<Record<string, Refusal>>
      detail?: unknown
      retrySeconds?: number
      instead?: string | undefined
    } = {},
  ) {
    super(refusal.code)
    this.refusal = refusal
    this.kind = kind
    this.fields = more.fields
    this.detail = more.detail
    this.retrySeconds = more.retrySeconds
    this.instead = more.instead
  }
}

/** Fields named in one refusal: more than these nobody reads, and whoever sends thousands gets no essay back. */
export const MAX_NAMED = 20

/** Names its fields as the wire does; whoever puts it into words says what people call them. */
export const INPUT_INVALID = 'kit:input-invalid'

/** Several fields at once, each with its own reason. */
export function refusedFields(
  fields: Readonly<Record<string, Refusal>>,
  kind: Extract<RefusalKind, 'parameter' | 'validation'>,
): Refused {
  const shown = Object.entries(fields).slice(0, MAX_NAMED)
  const names = shown.map(([name]) => name.slice(0, MAX_NAME)).join(', ')
  const more = Object.keys(fields).length > MAX_NAMED ? ', …' : ''
  return new Refused(refuse(INPUT_INVALID, { names: names + more }), kind, { fields: Object.fromEntries(shown) })
}
const MAX_NAME = 100

/** What is wrong with one field of a form, said beside it; and where what was entered can be asked for instead. */
export const onField = (field: string, refusal: Refusal, instead?: string): Refused =>
  new Refused(refusal, 'validation', { fields: { [field]: refusal }, instead })
