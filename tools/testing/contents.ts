import pg from 'pg'

export type Contents = {
  readonly tables: Record<string, { readonly rows: number; readonly hash: string }>
  readonly sequences: Record<string, string>
}

/** Of these a backup brings nothing back: they are worth nothing after a minute. */
const PASSING = ['captcha', 'socket_ticket', 'signal']
/** Set by the restore itself: whoever was signed in has to sign in again, recovery codes are void, and migrations are applied anew. */
const SET_ANEW: Readonly<Record<string, readonly string[]>> = {
  session: ['ended_at', 'end_reason'],
  login_trace: ['ended_at', 'end_reason', 'online'],
  staff: ['open_sessions'],
  recovery_code: ['used_at'],
  second_factor: ['codes_void_at'],
  migration: ['applied_at'],
}

/**
 * What a database holds, by its own catalogue: every table that exists, with the number of its rows and a sum over all
 * of them that any change of any value changes.
 */
export async function contentsOf(url: string): Promise<Contents> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c statement_timeout=0' })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$)' order by 1, 2`,
    )
    const held: Contents['tables'] = {}
    for (const { schema, name } of tables.filter(table => !PASSING.includes(table.name))) {
      // A month of a table is named after it.
      const anew = (SET_ANEW[name.replace(/_(\d.*|before|rest)$/, '')] ?? []).map(column => `'${column}'`).join(', ')
      const { rows } = await client.query(
        `select count(*)::int as rows, coalesce(sum(hashtextextended((to_jsonb(t) - array[${anew}]::text[])::text, 0)), 0)::text as hash
         from "${schema}"."${name}" t`,
      )
      held[`${schema}.${name}`] = rows[0]
    }
    const { rows: sequences } = await client.query(
      `select schemaname || '.' || sequencename as name, coalesce(last_value::text, 'not begun') as last from pg_sequences order by 1`,
    )
    const isPassing = (name: string) => PASSING.some(table => name.startsWith(`public.${table}_`))
    return {
      tables: held,
      sequences: Object.fromEntries(
        sequences.filter(({ name }) => !isPassing(name)).map(({ name, last }) => [name, last]),
      ),
    }
  } finally {
    await client.end()
  }
}
