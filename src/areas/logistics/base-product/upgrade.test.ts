import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate, migrationNames } from '#kit/server/database/migrate.ts'
import { emptyDatabase } from '../../../../tools/testing/instance.ts'

const MIGRATION = '20261116T1325-counts-agreed-to.sql'
const KEEPS_BOOK = '20261116T1434-counts-keep-the-book.sql'

/** A house as it stood the day before: a count of each state, and two roles of which none could withdraw one. */
const BEFORE = `
  insert into org (name, code, path) values ('Office', 'office', '/1/');
  insert into staff (account, name, org_id, password_hash)
    select account, account, org.id, 'none' from org, unnest(array['keeper', 'chief']) account;
  insert into base_product (sku, name, unit, warn_at, cost_fen, value_fen) values ('PEN', 'Pen', 'box', 1, 1, 1);
  insert into stock_check (base_product_id, counted, status, applicant_id, decided_by, decided_at, created_at)
    select p.id, 3, state, keeper.id, case when state <> 'WAITING' then chief.id end, case when state <> 'WAITING' then now() end, now()
    from base_product p, staff keeper, staff chief, unnest(array['APPROVED', 'REJECTED', 'WAITING']) state
    where keeper.account = 'keeper' and chief.account = 'chief';
  insert into role (code, name, scope) select code, code, 'ALL' from unnest(array['COUNTS', 'CONFIRMS']) code;
  insert into permission (display_type, resource_code, display_name) values ('MENU', 'base-product', 'stock');
  insert into permission (parent_id, display_type, resource_code, display_name)
    select id, 'PERMISSION', action, action from permission, unnest(array['check', 'approveCheck']) action;
  insert into role_permission (role_id, permission_id)
    select role.id, permission.id from role join permission
      on permission.resource_code = case role.code when 'COUNTS' then 'check' else 'approveCheck' end;`

test('counts made before go on, those that wait without an end, and whoever counts may withdraw', async () => {
  const { url, drop } = await emptyDatabase()
  const before = (await migrationNames()).filter(name => name < MIGRATION)
  await migrate(url, before)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(BEFORE)
  await migrate(url, [...before, MIGRATION])
  const counts = await client.query(`
    select c.status, s.account as by, c.expires_at from stock_check c left join staff s on s.id = c.decided_by order by c.id`)
  const rights = await client.query(`
    select r.code, string_agg(p.resource_code, ' ' order by p.resource_code) as rights
    from role r join role_permission rp on rp.role_id = r.id join permission p on p.id = rp.permission_id group by 1 order by 1`)
  await client.end()
  await drop()
  expect(counts.rows).toEqual([
    { status: 'APPROVED', by: 'chief', expires_at: null },
    { status: 'REJECTED', by: 'chief', expires_at: null },
    { status: 'WAITING', by: null, expires_at: null },
  ])
  expect(rights.rows).toEqual([
    { code: 'CONFIRMS', rights: 'approveCheck' },
    { code: 'COUNTS', rights: 'check withdrawCheck' },
  ])
})

test('a count that waits gets what the book said when it was made, whatever moved since', async () => {
  const { url, drop } = await emptyDatabase()
  const names = await migrationNames()
  const before = names.filter(name => name < KEEPS_BOOK)
  await migrate(url, before)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`${BEFORE}
    update stock_check set book = 15 where status = 'APPROVED';
    insert into stock_movement (base_product_id, cause, quantity, balance_after, created_at)
      select p.id, 'IN', 10, balance, now() + since from base_product p,
        (values (10, interval '-1 hour'), (20, interval '1 hour')) moved (balance, since)`)
  await migrate(url, [...before, KEEPS_BOOK])
  const { rows } = await client.query('select status, book from stock_check order by id')
  await client.end()
  await drop()
  expect(rows.map(({ status, book }) => [status, book])).toEqual([
    ['APPROVED', 15],
    ['REJECTED', 10],
    ['WAITING', 10],
  ])
})
