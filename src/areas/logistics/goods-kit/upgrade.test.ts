import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, migrationNames } from '#kit/server/database/migrate.ts'
import { emptyDatabase } from '../../../../tools/testing/instance.ts'

const MIGRATION = '20261116T1430-who-publishes.sql'

/** A house as it stood the day before: kits and courses, and roles that hold one right each on both pages. */
const BEFORE = `
  insert into role (code, name, scope) select code, code, 'ALL' from unnest(array['READS', 'WRITES', 'PUBLISHES']) code;
  insert into permission (display_type, resource_code, display_name)
    select 'MENU', page, page from unnest(array['logistics-product', 'product-package', 'logistics-base']) page;
  insert into permission (parent_id, display_type, resource_code, display_name)
    select id, 'PERMISSION', action, action from permission, unnest(array['list', 'update']) action
    union all select id, 'PERMISSION', 'publish', 'publish' from permission where resource_code = 'product-package';
  insert into role_permission (role_id, permission_id)
    select role.id, permission.id from role
    join (values ('READS', 'list'), ('WRITES', 'update'), ('PUBLISHES', 'publish')) held (role, action) on held.role = role.code
    join permission on permission.resource_code = held.action;`

/** A house that took editions up since: a lead of its own publishes kits. */
const DECIDED = `
  insert into role (code, name, scope) values ('LEADS', 'LEADS', 'ALL');
  insert into permission (parent_id, display_type, resource_code, display_name)
    select id, 'PERMISSION', 'publish', 'publish' from permission where resource_code = 'logistics-product';
  insert into role_permission (role_id, permission_id)
    select role.id, p.id from role, permission p join permission menu on menu.id = p.parent_id
    where role.code = 'LEADS' and p.resource_code = 'publish' and menu.resource_code = 'logistics-product';`

let url: string
let client: pg.Client
let before: string[]
let drop: () => Promise<void>
beforeEach(async () => {
  const empty = await emptyDatabase()
  drop = async () => void (await empty.drop())
  url = empty.url
  before = (await migrationNames()).filter(name => name < MIGRATION)
  await migrate(url, before)
  client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(BEFORE)
})
afterEach(async () => {
  await client.end()
  await drop()
})

async function rightsOn(page: string) {
  const { rows } = await client.query<{ code: string; rights: string }>(
    `select r.code, string_agg(p.resource_code, ' ' order by p.resource_code) as rights
     from role r join role_permission rp on rp.role_id = r.id join permission p on p.id = rp.permission_id
     join permission menu on menu.id = p.parent_id where menu.resource_code = $1 group by 1 order by 1`,
    [page],
  )
  return Object.fromEntries(rows.map(({ code, rights }) => [code, rights]))
}

test('whoever changed kits at once publishes them, whoever wrote courses sees drafts, and who publishes restores', async () => {
  await migrate(url, [...before, MIGRATION])
  expect(await rightsOn('logistics-product')).toEqual({
    READS: 'list',
    WRITES: 'discard drafts publish restore update',
  })
  expect(await rightsOn('product-package')).toEqual({
    PUBLISHES: 'publish restore',
    READS: 'list',
    WRITES: 'discard drafts update',
  })
  expect(await rightsOn('logistics-base')).toEqual({ READS: 'list', WRITES: 'update' })
})

test('where a lead was given the publishing of kits, whoever writes them does not publish', async () => {
  await client.query(DECIDED)
  await migrate(url, [...before, MIGRATION])
  expect(await rightsOn('logistics-product')).toEqual({
    LEADS: 'publish restore',
    READS: 'list',
    WRITES: 'discard drafts update',
  })
})
