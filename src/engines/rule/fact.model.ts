/** What a fact is. Money is whole fen, days are counted. */
export const PLAIN_KINDS = ['whole', 'truth', 'text'] as const
export type PlainKind = (typeof PLAIN_KINDS)[number]
export type Plain = Readonly<Record<string, PlainKind>>

/** A fact that is a list says what is known of each of its items. */
export const FACT_KINDS = [...PLAIN_KINDS, 'list'] as const
export type FactKind = (typeof FACT_KINDS)[number]
export type Facts = Readonly<Record<string, PlainKind | Plain>>

export const factKind = (fact: PlainKind | Plain): FactKind => (typeof fact === 'string' ? fact : 'list')

type Values = { whole: number; truth: boolean; text: string }
type PlainValues<P extends Plain> = { readonly [Name in keyof P]: Values[P[Name]] }
export type ValuesOf<F extends Facts> = {
  readonly [Name in keyof F]: F[Name] extends PlainKind
    ? Values[F[Name]]
    : F[Name] extends Plain
      ? readonly PlainValues<F[Name]>[]
      : never
}

/** What a node takes: a value, or the name of a fact of a kind. */
export const PARAMETER_KINDS = [...PLAIN_KINDS, 'whole-fact', 'truth-fact', 'text-fact', 'list-fact'] as const
export type ParameterKind = (typeof PARAMETER_KINDS)[number]
export type Takes = Readonly<Record<string, ParameterKind>>
export type BoundOf<P extends Takes> = {
  readonly [Name in keyof P]: P[Name] extends PlainKind ? Values[P[Name]] : string
}

/** Which kind of fact is named there, where one is. */
export const factNamed = (kind: ParameterKind): FactKind | undefined => FACT_KINDS.find(fact => kind === `${fact}-fact`)

/** Within a loop over a list, what is known of the item it has come to is called so. */
export const ITEM = 'item.'

/** The parameters of the nodes that have some, by node. */
export type Parameters = ReadonlyMap<string, Takes>

/** What may be bound to them, by node and parameter, where not everything may. */
export type Offers = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>

/** What nodes, scripts and chains ask of the facts, and what they add to them, by id; nothing told is nothing known of it. */
export type FactUse = {
  readonly reads: readonly string[]
  /** Nothing where it may add whatever it likes. */
  readonly answers: readonly string[] | null
}
/** The facts an event hands in, and who asks for which. */
export type KnownFacts = { readonly told: Facts; readonly uses: ReadonlyMap<string, FactUse> }
