import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, migrationNames } from '#kit/server/database/migrate.ts'
import { emptyDatabase, openTestInstance, stoppedClock, type TestInstance } from '../../../../tools/testing/instance.ts'
import { record } from './audit.ts'
import { keepMonths } from './log-months.ts'
import { ownChange } from './operation.ts'

const NOW = new Date('2031-05-16T04:00:00Z')

describe('a line of the operation log', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
  })

  const write = (page: string, action: string, at = NOW) =>
    record(instance.app.db.query, { actor: null, now: at, address: '', requestId: 'months' }, { page, action })
  const standsIn = async (id: string) =>
    (
      await instance.app.db.read.rows('select tableoid::regclass::text as part from operation_log where id = $1', [id])
    )[0]?.part
  const keep = () => instance.app.db.write(tx => keepMonths(tx, NOW))

  test.each([
    ['a refund is decided on', 'order-refundApply', 'approve', 'long'],
    ['a setting that moves money is changed', 'operate-config', 'approve', 'long'],
    ['a list is exported', 'member-list', 'export', 'long'],
    ['a phone number is shown in full', 'member-list', 'reveal', 'long'],
    ['a pupil is looked for by a phone number', 'member-list', 'find-by-phone', 'long'],
    ['somebody agrees to something, or takes it back', 'member-list', 'recordConsent', 'long'],
    ['an account is to be closed', 'apply-list', 'create', 'long'],
    ['a dictionary is changed', 'dictionary', 'update', 'short'],
    ['somebody follows up', 'member-list', 'editFollowUp', 'short'],
  ])('is kept as long as its kind asks for: %s', async (_what, page, action, keeping) => {
    expect(await standsIn(await write(page, action))).toMatch(`part.operation_log_${keeping}_`)
  })

  test('is written for an event whatever its sender calls it', async () => {
    const { app } = instance
    const { call } = await app.db.write(async tx => ownChange(app, tx, NOW, `event:${'x'.repeat(300)}`))
    await expect(record(app.db.query, call, { page: 'dictionary', action: 'update' })).resolves.toBeDefined()
  })

  test('stands among the rest where its month is missing, and in its month once that is made', async () => {
    const early = await write('dictionary', 'update', new Date('2029-12-31T15:59:59Z'))
    const late = await write('dictionary', 'update', new Date('2029-12-31T16:00:00Z'))
    expect([await standsIn(early), await standsIn(late)]).toEqual(Array(2).fill('part.operation_log_short_rest'))
    await keep()
    expect([await standsIn(early), await standsIn(late)]).toEqual([
      'part.operation_log_short_2029_12',
      'part.operation_log_short_2030_01',
    ])
  })

  test('finds the months to come made ahead, however often they are asked for', async () => {
    await keep()
    await keep()
    for (const month of ['05', '06', '07']) {
      const line = await write('dictionary', 'update', new Date(`2031-${month}-15T00:00:00Z`))
      expect(await standsIn(line)).toBe(`part.operation_log_short_2031_${month}`)
    }
  })
})

describe('a house that has logged for years', () => {
  const MIGRATION = '20261116T1650-logs-by-month.sql'
  let client: pg.Client
  let drop: () => Promise<void>
  beforeAll(async () => {
    const empty = await emptyDatabase()
    drop = async () => void (await empty.drop())
    const before = (await migrationNames()).filter(name => name < MIGRATION)
    await migrate(empty.url, before)
    client = new pg.Client({ connectionString: empty.url })
    await client.connect()
    await client.query(`
      insert into operation_log (at, actor_name, address, request_id, page, action, record_id, code)
        select now() - n * interval '100 days', 'x', '', '', 'member-list', case n when 1 then 'reveal' else 'update' end, 7, n
        from generate_series(5, 0, -1) n;
      insert into operation_log (at, actor_name, address, request_id, page, action, record_id, code, undoes)
        values (now(), 'x', '', '', 'member-list', 'takeBack', 7, 0, 6);
      insert into login_trace (at, account, address, device, result) select now() - n * interval '100 days', 'x', '', '', 'LOCKED' from generate_series(5, 0, -1) n`)
    await migrate(empty.url, [...before, MIGRATION])
  })
  afterAll(async () => {
    await client.end()
    await drop()
  })
  const rows = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows

  test('has every line it had, under its number, and goes on numbering after the last', async () => {
    const line = `(at, actor_name, address, request_id, page, action, code) values (now(), 'y', '', '', 'p', 'a', 0)`
    await client.query(`insert into operation_log ${line}`)
    await client.query(
      `insert into operation_log ${line.replace('(at,', '(keep, at,').replace('(now()', "('SHORT', now()")}`,
    )
    await client.query(
      `insert into login_trace (at, account, address, device, result) values (now(), 'y', '', '', 'LOCKED')`,
    )
    expect(await rows('select id, kind, result from operation_log where record_id = 7 order by id')).toEqual([
      ['1', 'UPDATE', 'REFUSED'],
      ['2', 'UPDATE', 'REFUSED'],
      ['3', 'UPDATE', 'REFUSED'],
      ['4', 'UPDATE', 'REFUSED'],
      ['5', 'REVEAL', 'REFUSED'],
      ['6', 'UPDATE', 'DONE'],
      ['7', 'TAKE_BACK', 'DONE'],
    ])
    expect(await rows(`select id from operation_log where page = 'p' order by id`)).toEqual([['8'], ['9']])
    expect(await rows('select min(id), max(id), count(*)::int from login_trace')).toEqual([['1', '7', 7]])
  })

  test('keeps all of them long, for nothing tells which may go sooner', async () => {
    expect(await rows('select distinct keep, tableoid::regclass::text from operation_log where record_id = 7')).toEqual(
      [['LONG', 'part.operation_log_before']],
    )
  })

  test('knows which lines were taken back', async () => {
    expect(await rows('select line_id, by_id from line_taken_back')).toEqual([['6', '7']])
  })
})
