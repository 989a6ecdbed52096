import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationNames } from '#kit/server/database/migrate.ts'
import { emptyDatabase } from '../../../../tools/testing/instance.ts'

const MIGRATION = '20261116T1310-batches-agreed-to.sql'

/** A house as it stood the day before: three batches, and three roles of which none could reject or withdraw. */
const BEFORE = `
  insert into org (name, code, path) values ('Office', 'office', '/1/');
  insert into staff (account, name, org_id, password_hash)
    select account, account, org.id, 'none' from org, unnest(array['maker', 'lead']) account;
  insert into code_batch (batch_no, name, buyer, grants, quantity, valid_from, valid_to, applicant_id, status, approved_by, created_at)
    select 'B2611150000' || nth, state, 'a school', '[]', 1, '2026-01-01', '2099-12-31', maker.id, state,
      case when state = 'ACTIVE' then lead.id end, '2026-11-01'
    from staff maker, staff lead, unnest(array['DRAFT', 'ACTIVE', 'CLOSED']) with ordinality states (state, nth)
    where maker.account = 'maker' and lead.account = 'lead';
  insert into operation_log (page, action, record_id, code, at, actor_name, address, request_id)
    select 'product-exchange', 'approve', id, 0, '2026-11-02', 'lead', '::1', 'one' from code_batch where status = 'ACTIVE';
  insert into role (code, name, scope) select code, code, 'ALL' from unnest(array['MAKES', 'APPROVES', 'CLOSES', 'READS']) code;
  insert into permission (display_type, resource_code, display_name) values ('MENU', 'product-exchange', 'codes');
  insert into permission (parent_id, display_type, resource_code, display_name)
    select id, 'PERMISSION', action, action from permission, unnest(array['list', 'create', 'approve', 'close']) action;
  insert into role_permission (role_id, permission_id)
    select role.id, permission.id from role join (values ('MAKES', 'create'), ('APPROVES', 'approve'), ('CLOSES', 'close'), ('READS', 'list')) held (role, action)
      on held.role = role.code join permission on permission.resource_code = held.action;`

let client: pg.Client
let drop: () => Promise<void>
beforeAll(async () => {
  const empty = await emptyDatabase()
  drop = async () => void (await empty.drop())
  const before = (await migrationNames()).filter(name => name < MIGRATION)
  await migrate(empty.url, before)
  client = new pg.Client({ connectionString: empty.url })
  await client.connect()
  await client.query(BEFORE)
  await migrate(empty.url, [...before, MIGRATION])
})
afterAll(async () => {
  await client.end()
  await drop()
})

test('batches made before go on: who approved them and when is known, and what waits has no end', async () => {
  const { rows } = await client.query(`
    select b.status, s.account as by, b.ended_at::date::text as ended, b.expires_at from code_batch b
    left join staff s on s.id = b.l1_by order by b.id`)
  expect(rows).toEqual([
    { status: 'DRAFT', by: null, ended: null, expires_at: null },
    { status: 'ACTIVE', by: 'lead', ended: '2026-11-02', expires_at: null },
    { status: 'CLOSED', by: null, ended: '2026-11-01', expires_at: null },
  ])
})

test('whoever approved rejects, whoever made withdraws, whoever closed what waits does both, and a reader neither', async () => {
  const { rows } = await client.query(`
    select r.code, string_agg(p.resource_code, ' ' order by p.resource_code) as rights
    from role r join role_permission rp on rp.role_id = r.id join permission p on p.id = rp.permission_id group by 1 order by 1`)
  expect(rows).toEqual([
    { code: 'APPROVES', rights: 'approve reject' },
    { code: 'CLOSES', rights: 'close reject withdraw' },
    { code: 'MAKES', rights: 'create withdraw' },
    { code: 'READS', rights: 'list' },
  ])
})
