import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, stoppedClock, type TestInstance } from '../../../../tools/testing/instance.ts'
import { record } from './audit.ts'
import { findAltered, firstAltered } from './log-check.ts'
import { dropMonths, keepMonths, keptSince } from './log-months.ts'
import { hashOf, sealLog } from './log-seal.ts'

const NOW = new Date('2031-05-16T04:00:00Z')
const DAY_MS = 86_400_000

const write = (instance: TestInstance, at = NOW, action = 'update', recordId = '7') =>
  record(
    instance.app.db.query,
    { actor: null, now: at, address: '10.0.0.1', requestId: 'seal' },
    { page: 'dictionary', action, recordId, diff: { name: ['王小明', '王晓明'] }, reason: '家长来电' },
  )
const seal = (instance: TestInstance) => instance.app.db.write(tx => sealLog(tx, NOW))
const rows = (instance: TestInstance, sql: string, values: unknown[] = []) => instance.app.db.read.rows(sql, values)

describe('the sealed log', () => {
  let instance: TestInstance
  let first: bigint
  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
    first = BigInt(await write(instance))
    for (let line = 0; line < 3; line += 1) await write(instance, NOW, line === 1 ? 'reveal' : 'update')
    expect(await seal(instance)).toBe(4)
    for (let line = 0; line < 2; line += 1) await write(instance)
    expect(await seal(instance)).toBe(2)
  })

  /** What is found where somebody has done this by hand, past the console. */
  async function foundAfter(damage: string): Promise<string | undefined> {
    const client = await instance.app.db.read.pool.connect()
    try {
      await client.query('begin')
      await client.query(damage.replaceAll(/\$(\d)/g, (_sign, nth) => String(first + BigInt(nth))))
      return await firstAltered(client)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  const line = (nth: number) => first + BigInt(nth)
  const copyOf = (id: string) =>
    `insert into operation_log (id, at, actor_name, address, request_id, page, action, code, keep)
     select ${id}, at, 'x', '', '', 'dictionary', 'update', 0, keep from operation_log where id = $0`

  test('is found as it was sealed', async () => {
    expect(await foundAfter('select 1')).toBeUndefined()
  })

  test.each([
    ['the name of who did it', `update operation_log set actor_name = 'x' where id in ($1, $4)`],
    ['a value of the change', `update operation_log set diff = '{"name": ["王小明", "王五"]}' where id = $1`],
    ['the reason', `update operation_log set reason = null where id = $1`],
    ['the instant', `update operation_log set at = at + interval '1 second' where id = $1`],
    ['what it is known to have come to', `update operation_log set code = 4003 where id = $1`],
  ])('names the first line of which somebody changed %s', async (_what, damage) => {
    expect(await foundAfter(damage)).toBe(`line ${line(1)} was changed after it was sealed`)
  })

  test.each([
    ['one line', 'delete from operation_log where id = $3', 3],
    ['the first', 'delete from operation_log where id = $0', 0],
    ['the last', 'delete from operation_log where id = $5', 5],
    ['all of them', 'delete from operation_log', 2],
  ])('names the first line that is gone where somebody deleted %s', async (_which, damage, nth) => {
    expect(await foundAfter(damage)).toBe(`line ${line(nth)} is gone, though it was sealed`)
  })

  test('names a line that was put in between', async () => {
    expect(await foundAfter(copyOf('$0 - 1'))).toBe(
      `line ${first - 1n} was put in between after the lines around it were sealed`,
    )
    expect(await foundAfter(`delete from operation_log where id = $2; ${copyOf('$2')}`)).toMatch(`line ${line(2)} `)
  })

  test('misses a seal wherever it stood: at the end, and before it', async () => {
    expect(await foundAfter('delete from log_seal where id = 3')).toBe(
      `the log was sealed up to seal 3, and ends with seal 2: line ${line(4)} and those after it are no longer sealed`,
    )
    expect(await foundAfter('delete from log_seal where id = 2')).toMatch('seal 2 is gone')
    expect(await foundAfter('delete from log_seal; delete from log_head')).toMatch('ends with seal 0')
  })

  test('names a seal that was changed, also where its lines were changed to fit', async () => {
    expect(await foundAfter(`update log_seal set lines = 9 where id = 2`)).toBe('seal 2 was changed')
    const refitted = `update operation_log set reason = 'x' where id = $5; update log_seal set lines_hash = (
      select encode(sha256(string_agg(log_line_sealed(l), ''::bytea order by id)), 'hex') from operation_log l where id in ($4, $5)) where id = 3`
    expect(await foundAfter(refitted)).toBe('seal 3 was changed')
  })

  test('misses it where the chain was set back, or made to tell of the same lines twice', async () => {
    expect(await foundAfter('update log_head set line_id = $3')).toBe(
      `the log was sealed up to line ${line(5)}, and is said to be up to line ${line(3)}`,
    )
    const client = await instance.app.db.read.pool.connect()
    try {
      await client.query('begin')
      const { rows: all } = await client.query(
        `select id, kind, keep, month::text, from_id, to_id, lines, lines_hash, hash from log_seal order by id`,
      )
      const [told, last] = [all.find(({ keep }) => keep === 'SHORT'), all.at(-1)]
      const again = { ...told, id: String(BigInt(last.id) + 1n) }
      const hash = hashOf(last.hash, again)
      await client.query(
        `insert into log_seal select $1, kind, keep, month, from_id, to_id, lines, lines_hash, $2, sealed_at, marks from log_seal where id = $3`,
        [again.id, hash, told.id],
      )
      await client.query('update log_head set seal_id = $1, hash = $2', [again.id, hash])
      expect(await firstAltered(client)).toBe(`seal ${again.id} tells of lines that were sealed before`)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('holds when the values of a record are erased, and no longer tells them, nor takes others for them', async () => {
    const erase = `do $do$ begin assert erase_log(array['dictionary'], 7) = 6; end $do$`
    expect(await foundAfter(erase)).toBeUndefined()
    const told = `${erase}; do $do$ begin assert not exists (select from operation_log where diff::text like '%王%' or reason is not null or salt is not null); end $do$`
    expect(await foundAfter(told)).toBeUndefined()
    const numbered = `${erase}; update operation_log set record_no = 'x' where id = $1`
    expect(await foundAfter(numbered)).toBe(`line ${line(1)} was changed after it was sealed`)
    const forged = `${erase}; update operation_log set diff = '{"name": ["a", "b"]}' where id = $1`
    expect(await foundAfter(forged)).toBe(`line ${line(1)} was changed after it was sealed`)
  })

  test.each([
    ['the name of who did it', `actor_name = 'x'`],
    ['the address it was done from', `address = '10.0.0.2'`],
    ['the form it was sealed in', 'form = 1'],
  ])('vouches in an erased line for %s', async (_what, forged) => {
    const erase = `select erase_log(array['dictionary'], 7)`
    expect(await foundAfter(`${erase}; update operation_log set ${forged} where id = $1`)).toBe(
      `line ${line(1)} was changed after it was sealed`,
    )
  })

  test('holds for lines of the form of before, of which an erased one names nobody', async () => {
    const older = await openTestInstance({ clock: stoppedClock(NOW) })
    const found = async (damage: string) => {
      await older.app.db.read.pool.query(damage)
      return findAltered(older.app.db)
    }
    await older.app.db.read.pool.query('alter table operation_log alter column form set default 1')
    for (let nth = 0; nth < 2; nth += 1) await write(older)
    await older.app.db.read.pool.query('alter table operation_log alter column form set default 2')
    await write(older)
    await older.app.db.read.pool.query(`update operation_log set actor_name = '王五'`)
    expect(await seal(older)).toBe(3)
    expect(await findAltered(older.app.db)).toBeUndefined()
    expect(await found(`select erase_log(array['dictionary'], 7)`)).toBeUndefined()
    expect(await rows(older, 'select actor_name, address from operation_log order by id')).toEqual([
      { actor_name: '', address: '' },
      { actor_name: '', address: '' },
      { actor_name: '王五', address: '10.0.0.1' },
    ])
    expect(await found(`update operation_log set actor_name = '王五' where form = 1`)).toMatch(/was changed after/)
  })
})

describe('whoever seals', () => {
  test('waits for lines that are still to come, and leaves none of them out', async () => {
    const instance = await openTestInstance({ clock: stoppedClock(NOW) })
    const slow = new pg.Client({ connectionString: instance.url })
    await slow.connect()
    await slow.query('begin')
    await slow.query(
      `insert into operation_log (at, actor_name, address, request_id, page, action, code) values ($1, 'x', '', '', 'dictionary', 'update', 0)`,
      [NOW],
    )
    await write(instance)
    expect(await seal(instance)).toBe(0)
    await slow.query('commit')
    await slow.end()
    expect(await seal(instance)).toBe(2)
    expect(await findAltered(instance.app.db)).toBeUndefined()
  })

  test('waits also for who began after another whose lines are there already', async () => {
    const instance = await openTestInstance({ clock: stoppedClock(NOW) })
    const [early, late] = [
      new pg.Client({ connectionString: instance.url }),
      new pg.Client({ connectionString: instance.url }),
    ]
    for (const client of [early, late]) {
      await client.connect()
      await client.query('begin; select pg_current_xact_id()')
    }
    const line = `insert into operation_log (at, actor_name, address, request_id, page, action, code) values ('${NOW.toISOString()}', 'x', '', '', 'dictionary', 'update', 0)`
    await late.query(line)
    await early.query(`${line}; commit`)
    expect(await seal(instance)).toBe(0)
    await late.query('commit')
    expect(await seal(instance)).toBe(2)
    expect(await findAltered(instance.app.db)).toBeUndefined()
    await Promise.all([early.end(), late.end()])
  })

  test('never keeps anybody from writing, and is himself not kept by who seals already', async () => {
    const instance = await openTestInstance({ clock: stoppedClock(NOW) })
    const other = new pg.Client({ connectionString: instance.url })
    await other.connect()
    await other.query('begin; select from log_head for update')
    const begun = Date.now()
    await write(instance)
    expect(Date.now() - begun).toBeLessThan(1_000)
    // He who holds it has a transaction under way as long as he does: what is written meanwhile is sealed after.
    expect(await seal(instance)).toBe(0)
    await other.end()
    await expect.poll(() => seal(instance), { timeout: 10_000 }).toBe(1)
  })

  test('seals nothing twice, however many do so at once', async () => {
    const instance = await openTestInstance({ clock: stoppedClock(NOW), connections: 8 })
    const beside = await openTestInstance({ url: instance.url, clock: stoppedClock(NOW), connections: 8 })
    for (let line = 0; line < 20; line += 1) await write(instance)
    const turns = await Promise.all([instance, beside, instance, beside].map(seal))
    const rest = await seal(beside)
    expect(turns.reduce((sum, n) => sum + n, rest)).toBe(20)
    expect(await rows(instance, 'select sum(lines)::int as n from log_seal')).toEqual([{ n: 20 }])
    expect(await findAltered(instance.app.db)).toBeUndefined()
    await beside.close()
  })
})

describe('what has been kept long enough', () => {
  test.each([
    ['operation_log_short', '2031-05-16T04:00:00Z', '2030-10-31T16:00:00.000Z'],
    ['operation_log_short', '2031-05-31T15:59:59Z', '2030-10-31T16:00:00.000Z'],
    ['operation_log_short', '2031-05-31T16:00:00Z', '2030-11-30T16:00:00.000Z'],
    ['operation_log_long', '2031-05-16T04:00:00Z', '2028-04-30T16:00:00.000Z'],
    ['login_trace', '2031-01-16T04:00:00Z', '2030-06-30T16:00:00.000Z'],
  ] as const)('is what is older than whole calendar months: %s at %s begins at %s', (log, now, since) => {
    expect(keptSince(log, new Date(now)).toISOString()).toBe(since)
  })

  test('goes by month, leaves its anchor, and the chain still holds', async () => {
    const instance = await openTestInstance({ clock: stoppedClock(NOW) })
    const ages = [10, 150, 190, 230, 400, 1_000, 1_200]
    for (const days of ages)
      for (const action of ['update', 'reveal']) await write(instance, new Date(NOW.getTime() - days * DAY_MS), action)
    for (const days of ages)
      await rows(
        instance,
        `insert into login_trace (at, account, address, device, result) values ($1, 'x', '', '', 'LOCKED')`,
        [new Date(NOW.getTime() - days * DAY_MS)],
      )
    const keep = () => instance.app.db.write(tx => keepMonths(tx, NOW))
    const drop = () => instance.app.db.write(tx => dropMonths(tx, NOW))
    const left = async (of: string) =>
      (
        await rows(
          instance,
          `select ($1::timestamptz - at) as age, extract(day from $1::timestamptz - at)::int as days from ${of} order by id`,
          [NOW],
        )
      ).map(({ days }) => days)
    await keep()
    await drop()
    // Nothing goes that is not sealed.
    expect(await left(`operation_log where keep = 'SHORT'`)).toEqual(ages)
    await seal(instance)
    await drop()
    expect(await left(`operation_log where keep = 'SHORT'`)).toEqual([10, 150, 190])
    expect(await left(`operation_log where keep = 'LONG'`)).toEqual([10, 150, 190, 230, 400, 1_000])
    expect(await left('login_trace')).toEqual([10, 150, 190])
    expect(await rows(instance, `select keep, month::text from log_seal where kind = 'DROPPED' order by id`)).toEqual([
      { keep: 'SHORT', month: '2028-02-01' },
      { keep: 'SHORT', month: '2028-08-01' },
      { keep: 'SHORT', month: '2030-04-01' },
      { keep: 'SHORT', month: '2030-09-01' },
      { keep: 'LONG', month: '2028-02-01' },
    ])
    expect(await findAltered(instance.app.db)).toBeUndefined()
    // Nobody puts a line into a month that is gone.
    const [gone] = await rows(
      instance,
      `select from_id from log_seal where kind = 'DROPPED' and keep = 'SHORT' and month = '2030-04-01'`,
    )
    await rows(
      instance,
      `insert into operation_log (id, at, actor_name, address, request_id, page, action, code, keep)
       values ($1, '2030-04-11T04:00:00Z', 'x', '', '', 'dictionary', 'update', 0, 'SHORT')`,
      [gone?.from_id],
    )
    expect(await findAltered(instance.app.db)).toMatch(`line ${gone?.from_id} was put in between`)
    await rows(instance, 'delete from operation_log where id = $1', [gone?.from_id])
    // The anchor is part of the chain: without it the lines are missed.
    await instance.app.db.read.pool.query(
      `update log_seal set lines_hash = 'x' where kind = 'DROPPED' and keep = 'LONG'`,
    )
    expect(await findAltered(instance.app.db)).toMatch(/^seal \d+ was changed$/)
  })
})
