import { beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'
import { openDatabase } from '../database/database.ts'
import { sendSignal } from '../database/signal.ts'
import { changeGrant, disableStaff, enableStaff, grantRole, revokeRole } from './access.ts'
import { createAdmin, hasAdmin } from './admin.ts'

const now = new Date('2026-11-15T02:00:00Z')
const said = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.message.replace('kit/server/auth:', ''),
  )

describe('the first administrator', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
  })
  const make = (options: { username: string; password?: string }) =>
    createAdmin(instance.app.db, { now, profile: 'default', ...options })

  test('gets a made-up password, shown once, that must be changed; role and company are made with them', async () => {
    expect(await hasAdmin(instance.app.db)).toBe(false)
    const { staffId, generated } = await make({ username: 'admin' })
    expect(await hasAdmin(instance.app.db)).toBe(true)
    expect(await signIn(instance, 'admin', { password: generated ?? '' })).toMatchObject({ code: 0 })
    const stored = await instance.app.db.query
      .selectFrom('staff as p')
      .innerJoin('org as o', 'o.id', 'p.org_id')
      .select(['p.must_change', 'p.password_hash', 'o.path', 'o.id'])
      .where('p.id', '=', staffId)
      .executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ must_change: true, path: `/${stored.id}/` })
    expect(stored.password_hash).not.toContain(generated)
    const roles = await instance.app.db.query.selectFrom('role').select(['code', 'scope']).execute()
    expect(roles).toEqual([{ code: 'SUPER_ADMIN', scope: 'ALL' }])
  })

  test('with a password of the owner nothing has to be changed, and a second one shares role and company', async () => {
    expect(await make({ username: 'second', password: 'mulberry paper 7' })).toMatchObject({ generated: null })
    const stored = await instance.app.db.query
      .selectFrom('staff')
      .select(['must_change', 'org_id'])
      .orderBy('id')
      .execute()
    expect(stored.map(({ must_change }) => must_change)).toEqual([true, false])
    expect(new Set(stored.map(({ org_id }) => org_id)).size).toBe(1)
  })

  test('a taken or misspelt account and a weak password are refused, and nothing is made', async () => {
    const count = async () => (await instance.app.db.query.selectFrom('staff').select('id').execute()).length
    const before = await count()
    expect(await said(make({ username: 'admin', password: 'mulberry paper 7' }))).toBe('account-taken')
    expect(await said(make({ username: 'No Spaces', password: 'mulberry paper 7' }))).toBe('account-invalid')
    expect(await said(make({ username: 'third', password: 'short 8c' }))).toBe('password-too-short')
    expect(await said(make({ username: 'third', password: 'third-third-2026' }))).toBe('password-own-word')
    expect(await count()).toBe(before)
  })

  test('two instances that start at once make one', async () => {
    const own = await cloneDatabase()
    const db = openDatabase(own.url)
    const results = await Promise.all(
      [1, 2].map(() => said(createAdmin(db, { username: 'admin', now, profile: 'default' }))),
    )
    expect(results.sort()).toEqual(['account-taken', 'done'])
    expect(await db.query.selectFrom('role').select('code').execute()).toHaveLength(1)
    await db.close()
    await own.drop()
  })
})

describe('giving and taking rights', () => {
  let instance: TestInstance
  let role: string
  beforeAll(async () => {
    instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
    role = 'READER'
    await instance.app.db.query.insertInto('role').values({ code: role, name: role, scope: 'ALL' }).execute()
  })
  const grant = (page: string, action: string | undefined, held: boolean, of = role) =>
    said(
      changeGrant(instance.app.db, { send: sendSignal }, { role: of, page, ...(action ? { action } : {}), held, now }),
    )
  const heldBy = async (code: string) => {
    const rows = await instance.app.db.query
      .selectFrom('role_permission as rp')
      .innerJoin('role as r', 'r.id', 'rp.role_id')
      .innerJoin('permission as p', 'p.id', 'rp.permission_id')
      .select('p.resource_code')
      .where('r.code', '=', code)
      .orderBy('p.resource_code')
      .execute()
    return rows.map(({ resource_code }) => resource_code)
  }

  test('an action brings its page along; a page that goes takes its actions with it', async () => {
    expect(await grant('dictionary', 'list', true)).toBe('done')
    expect(await grant('dictionary', 'list', true)).toBe('done')
    expect(await heldBy(role)).toEqual(['dictionary', 'list'])
    expect(await grant('dictionary', 'create', true)).toBe('done')
    expect(await grant('dictionary', 'list', false)).toBe('done')
    expect(await heldBy(role)).toEqual(['create', 'dictionary'])
    expect(await grant('dictionary', undefined, false)).toBe('done')
    expect(await heldBy(role)).toEqual([])
  })

  test('what does not exist is named, and nothing changes', async () => {
    expect(await grant('dictionary', 'list', true, 'NOBODY')).toBe('role-unknown')
    expect(await grant('nowhere', undefined, true)).toBe('page-unknown')
    expect(await grant('dictionary', 'fly', true)).toBe('action-unknown')
    expect(await grant('dictionary', 'list', true, 'SUPER_ADMIN')).toBe('admin-holds-all')
    expect(await heldBy(role)).toEqual([])
  })

  test('each change leaves a line in the log of the role', async () => {
    await grant('order-list', 'list', true)
    await grant('order-list', 'list', false)
    const lines = await instance.app.db.query
      .selectFrom('operation_log')
      .select(['actor_name', 'action', 'diff'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(lines).toEqual([
      { actor_name: 'command line', action: 'update', diff: { taken: [null, ['order-list:list']] } },
      { actor_name: 'command line', action: 'update', diff: { given: [null, ['order-list:list']] } },
    ])
  })

  test('somebody disabled cannot sign in, and can again when enabled', async () => {
    const { id, account } = await employ(instance)
    await instance.app.db.write(tx => disableStaff(tx, instance.app, id))
    expect(await signIn(instance, account)).toMatchObject({ code: 4006 })
    await instance.app.db.write(tx => enableStaff(tx, instance.app, id))
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
    expect(await said(instance.app.db.write(tx => disableStaff(tx, instance.app, '999999')))).toBe('staff-unknown')
  })

  test('the last super administrator can be neither disabled nor demoted', async () => {
    const [first, second] = [await person(instance, { superAdmin: true }), await person(instance, { superAdmin: true })]
    const demote = (id: string) => said(instance.app.db.write(tx => revokeRole(tx, instance.app, id, 'SUPER_ADMIN')))
    const disable = (id: string) => said(instance.app.db.write(tx => disableStaff(tx, instance.app, id)))
    for (let round = 0; round < 10; round += 1) {
      const results = await Promise.all(
        round % 2 ? [demote(first.id), demote(second.id)] : [disable(first.id), demote(second.id)],
      )
      expect(results.sort()).toEqual(['done', 'last-admin'])
      for (const { id } of [first, second]) {
        await instance.app.db.write(async tx => {
          await enableStaff(tx, instance.app, id)
          await grantRole(tx, instance.app, id, 'SUPER_ADMIN')
        })
      }
    }
  })
})
