import { colleague, type World } from '#demo/world.server.ts'

/** A rule as the demo business tells of it: what it says, what it said at first, and what somebody works at. */
export type Told = {
  readonly source: string
  readonly before?: string
  readonly draft?: string
  readonly isNew?: true
}

/** Where such a rule stands. */
export const standingOf = ({ source, before, draft, isNew }: Told) => ({
  source: isNew ? '' : source,
  edition: isNew ? 0 : before === undefined ? 1 : 2,
  status: isNew ? ('DRAFT' as const) : draft === undefined ? ('PUBLISHED' as const) : ('CHANGED' as const),
})

/** Its editions: written by one person, published by another. `body` says what an edition of this text says. */
export function editionsOf<Table extends 'rule_chain_edition' | 'rule_script_edition'>(
  world: World,
  table: Table,
  { source, before, draft, isNew }: Told,
  body: (text: string) => object,
) {
  const [writer, manager] = [colleague(world, 'OPERATIONS'), colleague(world, 'OPERATIONS_MANAGER')]
  const drafted = { restores: null, drafted_by: writer.id, drafted_at: world.since }
  const published = { ...drafted, published_by: manager.id, published_at: world.since }
  const open = { ...drafted, edition: null, published_by: null, published_at: null, state: 'DRAFT' as const }
  const next = () => world.ids.next(table)
  if (isNew) return [{ ...open, id: next(), base: 0, body: body(source) }]
  const last = before === undefined ? 1 : 2
  return [
    ...(before === undefined
      ? []
      : [{ ...published, id: next(), state: 'SUPERSEDED' as const, base: 0, edition: 1, body: body(before) }]),
    { ...published, id: next(), state: 'PUBLISHED' as const, base: last - 1, edition: last, body: body(source) },
    ...(draft === undefined ? [] : [{ ...open, id: next(), base: last, body: body(draft) }]),
  ]
}

/** Who writes rules, who publishes them, and who reads them. */
export const HOLDS_RULES = {
  OPERATIONS: ['create', 'update', 'delete', 'export', 'drafts', 'discard', 'try'],
  OPERATIONS_MANAGER: ['publish', 'restore'],
} as const
