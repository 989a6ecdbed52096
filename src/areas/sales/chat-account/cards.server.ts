import { sql } from 'kysely'
import type { Queries } from '#kit/server/change/rules.ts'

/** An account somebody works with, by which people can add it. */
export type Card = { readonly name: string; readonly link: string }

const MOST = 10

/** The accounts a colleague works with now that can be added by a link, the longest held first. */
export async function cardsOf(db: Queries, staffId: string): Promise<Card[]> {
  const { rows } = await sql<Card>`
    select nickname as name, link from chat_account
    where owner_id = ${staffId} and status = 'IN_USE' and link is not null order by owner_since, id limit ${MOST}`.execute(
    db,
  )
  return rows
}
