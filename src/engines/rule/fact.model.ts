/** What a fact or a parameter of a node is. Money is whole fen, days are counted. */
export const FACT_KINDS = ['whole', 'truth', 'text'] as const
export type FactKind = (typeof FACT_KINDS)[number]

export type Facts = Readonly<Record<string, FactKind>>
type Values = { whole: number; truth: boolean; text: string }
export type ValuesOf<F extends Facts> = { readonly [Name in keyof F]: Values[F[Name]] }

/** The parameters of the nodes that have some, by node. */
export type Parameters = ReadonlyMap<string, Facts>

/** What may be bound to them, by node and parameter, where not everything may. */
export type Offers = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>
