import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { schemaSql } from '../../../../tools/schema-sql.ts'
import { databaseUrl, onServer } from '../../../../tools/testing/database.ts'
import { migrate, readMigrations } from './migrate.ts'

let url: string
const made: string[] = []
beforeEach(async () => {
  const name = `inkstone_migrate_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('templateUrl'), client => client.query(`create database ${name}`))
  made.push(name)
  url = databaseUrl(inject('templateUrl'), name)
})
afterAll(() =>
  onServer(inject('templateUrl'), async client => {
    for (const name of made) await client.query(`drop database ${name} with (force)`)
  }),
)

const query = async (sql: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('migrations', () => {
  test('bring an empty database all the way, and then have nothing more to do', async () => {
    const names = (await readMigrations()).map(({ name }) => name)
    expect(await migrate(url)).toEqual(names)
    expect(await migrate(url)).toEqual([])
  })

  test('run once, however many instances start together', async () => {
    const done = await Promise.all([migrate(url), migrate(url), migrate(url)])
    expect(done.flat()).toEqual((await readMigrations()).map(({ name }) => name))
  })

  test('give the same schema in one go and file by file', async () => {
    const names = (await readMigrations()).map(({ name }) => name)
    for (let count = 1; count <= names.length; count += 1) await migrate(url, names.slice(0, count))
    const stepwise = await schemaSql(url)
    expect(stepwise).toBe(await schemaSql(inject('templateUrl')))
  })

  test('that fail name their file and the line, and leave nothing behind', async () => {
    const names = (await readMigrations()).map(({ name }) => name)
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
    await migrate(url)
    await query(`update migration set checksum = 'edited' where name = (select min(name) from migration)`)
    await expect(migrate(url)).rejects.toThrow(/was changed after it was applied/)
  })

  test('refuse a database that is ahead of this version', async () => {
    await migrate(url)
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
