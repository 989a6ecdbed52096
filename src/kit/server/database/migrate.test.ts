import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { cloneDatabase, emptyDatabase } from '../../../../tools/testing/instance.ts'
import { withConnection } from './connection.ts'
import { migrate, migrationNames } from './migrate.ts'

let url: string
const made: { drop(): Promise<void> }[] = []
beforeEach(() => use(emptyDatabase()))
afterAll(() => Promise.all(made.map(database => database.drop())))

async function use(making: ReturnType<typeof emptyDatabase>): Promise<void> {
  const database = await making
  made.push(database)
  url = database.url
}

const query = (sql: string) => withConnection({ connectionString: url }, async client => (await client.query(sql)).rows)

describe('migrations', () => {
  test('bring an empty database all the way, and then have nothing more to do', async () => {
    const names = await migrationNames()
    expect(await migrate(url)).toEqual(names)
    expect(await migrate(url)).toEqual([])
  })

  test('run once, however many instances start together', async () => {
    const done = await Promise.all([migrate(url), migrate(url), migrate(url)])
    expect(done.flat()).toEqual(await migrationNames())
  })

  test('that fail name their file and the line, and leave nothing behind', async () => {
    const names = await migrationNames()
    await query('create table session (id int)')
    const failing = migrate(url)
    await expect(failing).rejects.toThrow(
      /^The migration 2\S+\.sql failed( at line \d+)?, and nothing of it was applied: relation "session" already exists/,
    )
    const applied = (await query('select name from migration order by name')).map(({ name }) => name)
    const culprit = /migration (\S+) failed/.exec(String(await failing.catch(error => error.message)))?.[1]
    expect(names.indexOf(culprit ?? '')).toBe(applied.length)
  })

  test('refuse a database whose past was edited', async () => {
    await use(cloneDatabase())
    await query(`update migration set checksum = 'edited' where name = (select min(name) from migration)`)
    await expect(migrate(url)).rejects.toThrow(/was changed after it was applied/)
  })

  test('refuse a database that is ahead of this version', async () => {
    await use(cloneDatabase())
    await query(`insert into migration (name, checksum) values ('20991231Z-future.sql', 'x')`)
    await expect(migrate(url)).rejects.toThrow(/Start the newer version/)
  })

  test('leave nothing of a file that failed half-way', async () => {
    await query('create table staff (id int)')
    await expect(migrate(url)).rejects.toThrow(/staff/)
    expect(await query('select name from migration')).toEqual([])
    expect(await query(`select 1 from pg_class where relname = 'org'`)).toEqual([])
  })
})
