import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { findBroken, type Invariant } from './invariants.ts'

test('of a console that nobody has used everything is true that is always true, whichever is asked', async () => {
  const { app, catalogue, close } = await openTestInstance()
  // Of a table that was looked through it is known how many rows it has: whatever is about it is asked.
  await app.db.read.pool.query('analyze')
  expect(await findBroken(app.db, catalogue)).toEqual([])
  await close()
})

describe('what is always true of a table', () => {
  let instance: TestInstance
  let made = 0
  beforeAll(async () => {
    instance = await openTestInstance()
  })
  const run = (sql: string) => instance.app.db.read.pool.query(sql)
  /** A table as a migration leaves it. */
  async function newTable(): Promise<string> {
    made += 1
    const name = `of_a_test_${made}`
    await run(`create table ${name} (id int)`)
    return name
  }
  /** By something that is found broken whenever it is asked. */
  async function isAsked(query: string, of?: string): Promise<boolean> {
    const invariant: Invariant = { name: 'asked', query, ...(of === undefined ? {} : { of }) }
    const [slice] = instance.catalogue.slices
    if (!slice) throw new Error('there is no slice')
    const slices = [{ ...slice, invariants: [invariant] }]
    return (await findBroken(instance.app.db, { slices }, name => name === 'asked')).length > 0
  }
  const about = (table: string) => `select n from (select count(*) as n from ${table}) counted`

  test('is not asked while nobody has ever written to it', async () => {
    expect(await isAsked(about(await newTable()))).toBe(false)
  })

  test.each([
    ['has rows', ['insert into it values (1)']],
    ['was given a row that was taken back before anybody saw it', ['begin; insert into it values (1); rollback']],
    ['was emptied', ['insert into it values (1)', 'truncate it']],
    ['was emptied row by row and tidied up', ['insert into it values (1)', 'delete from it', 'vacuum it']],
  ])('is asked where it %s', async (_, statements) => {
    const table = await newTable()
    for (const statement of statements) await run(statement.replace(/\bit\b/, table))
    expect(await isAsked(about(table))).toBe(true)
  })

  test('is asked where it is also of another that was written to, of a partitioned one, or of what a function reads', async () => {
    const table = await newTable()
    expect(await isAsked(`${about(table)} where exists (select from staff) or true`)).toBe(true)
    expect(await isAsked(`${about(table)} where not exists (select from operation_log where id < 0)`)).toBe(true)
    await run(`create function rows_of_a_test() returns bigint language sql as 'select count(*) from ${table}'`)
    expect(await isAsked(`select rows_of_a_test(), count(*) from ${table}`)).toBe(true)
  })

  test('is not asked where it is of rows there are none of, whatever else it looks at', async () => {
    const table = await newTable()
    const query = `${about(table)} where exists (select from staff) or true`
    expect(await isAsked(query, table)).toBe(false)
    await run(`insert into ${table} values (1)`)
    expect(await isAsked(query, table)).toBe(true)
  })
})
