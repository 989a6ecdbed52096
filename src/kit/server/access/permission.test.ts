import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { lockTree, type Tx } from '../database/database.ts'
import type { Declared } from '../declared.ts'
import { syncPermissions } from './permission.ts'

const PAGE = 'dictionary'
const LIST = '/system/dictionary'

describe('a right that a role holds and the code no longer knows', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance()
  })

  /** As a start of other code would find it. */
  const startWith = (catalogue: Declared) => syncPermissions(instance.app.db, catalogue, instance.app.texts)
  afterEach(() => startWith(instance.app.catalogue))

  const holder = () => person(instance, { grants: { [PAGE]: ['list', 'create'] } })

  test('opens nothing when its action is gone, and the rest of the screen as before', async () => {
    const { catalogue } = instance.app
    await startWith({ ...catalogue, pages: new Map([...catalogue.pages, [PAGE, ['create']]]) })
    const somebody = await holder()
    expect(await somebody.get(LIST)).toMatchObject({ status: 403 })
    expect(await somebody.post(LIST, {})).toMatchObject({ code: 4005 })
  })

  test('opens nothing when its screen is gone, and opens it again once the screen is back', async () => {
    const { catalogue } = instance.app
    const areas = catalogue.areas.map(area => ({
      ...area,
      screens: Object.fromEntries(Object.entries(area.screens).filter(([, { key }]) => key !== PAGE)),
    }))
    await startWith({ ...catalogue, areas })
    const [before, after] = [await holder(), await holder()]
    expect(await before.get(LIST)).toMatchObject({ status: 403 })
    expect(await before.post(LIST, {})).toMatchObject({ status: 403 })
    await startWith(catalogue)
    expect(await after.get(LIST)).toMatchObject({ code: 0 })
  })
})

describe('a start that changes the menu', () => {
  test('waits with nothing in hand while somebody moves a menu', async () => {
    const { app } = await openTestInstance()
    const { catalogue, db, texts } = app
    let started: Promise<void> | undefined
    await db.write(async tx => {
      await lockTree(tx, 'permission')
      started = syncPermissions(db, { ...catalogue, pages: new Map([...catalogue.pages, [PAGE, ['create']]]) }, texts)
      await expect.poll(() => waiting(tx)).toBe(1)
      await tx.selectFrom('permission').select('id').forUpdate().noWait().execute()
    })
    await started
  })
})

const waiting = async (tx: Tx): Promise<number> =>
  Number(
    (
      await sql<{ n: string }>`
        select count(*) as n from pg_locks
        where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`.execute(
        tx,
      )
    ).rows[0]?.n,
  )
