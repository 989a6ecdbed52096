import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, PASSWORD, signIn } from '../../../../tools/testing/sign-in.ts'

const PATH = '/account/settings-password'
const NEW = 'brush and bamboo 3'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
})

const signedIn = async (where = instance, roleCode?: string) => {
  const roleId =
    roleCode &&
    (
      await where.app.db.query
        .insertInto('role')
        .values({ code: roleCode, name: roleCode, scope: 'ALL' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const { id, account } = await employ(where, roleId ? { roleId } : {})
  const me = caller(where, id, (await signIn(where, account)).data)
  return { me, account, change: (password: string, oldPassword = PASSWORD) => me.post(PATH, { oldPassword, password }) }
}

describe('changing the password', () => {
  test('from then on only the new one opens the door', async () => {
    const { account, change } = await signedIn()
    expect(await change(NEW)).toMatchObject({ code: 0 })
    expect(await signIn(instance, account)).toMatchObject({ code: 4006 })
    expect(await signIn(instance, account, { password: NEW })).toMatchObject({ code: 0 })
  })

  test('needs the old one, and five wrong ones lock this door and the sign-in alike', async () => {
    const { account, change } = await signedIn()
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await change(NEW, 'wrong')).toMatchObject({
        code: 4005,
        data: { fields: { oldPassword: 'The current password is wrong' } },
      })
    }
    expect(await change(NEW)).toMatchObject({ status: 429, code: 4029 })
    expect(await signIn(instance, account)).toMatchObject({ code: 4029 })
    instance.clock.forward(15 * 60_000)
    expect(await change(NEW)).toMatchObject({ code: 0 })
  })

  test('a weak new one is told beside the field and costs no attempt', async () => {
    const { account, change } = await signedIn()
    for (let turn = 0; turn < 7; turn += 1) {
      expect(await change('password1')).toMatchObject({
        code: 4005,
        data: { fields: { password: 'This is a common password and easy to guess' } },
      })
    }
    expect(await change(`${account}!!`)).toMatchObject({
      data: { fields: { password: expect.stringContaining('your account') } },
    })
    expect(await change(PASSWORD)).toMatchObject({
      data: { fields: { password: 'The new password must differ from the current one' } },
    })
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
  })

  test('of two changes at once one holds', async () => {
    const { me, account } = await signedIn()
    const passwords = ['brush and bamboo 3', 'paper and bamboo 4']
    const answers = await Promise.all(passwords.map(password => me.post(PATH, { oldPassword: PASSWORD, password })))
    expect(answers.map(({ code }) => code).sort()).not.toEqual([0, 0])
    const won = passwords[answers.findIndex(({ code }) => code === 0)]
    expect(await signIn(instance, account, { password: won ?? '' })).toMatchObject({ code: 0 })
  })

  test('leaves a line in the log and no password in it', async () => {
    const { me, change } = await signedIn()
    await change(NEW)
    const lines = await instance.app.db.query
      .selectFrom('operation_log')
      .select(['page', 'action', 'diff'])
      .where('actor_id', '=', me.id)
      .execute()
    expect(lines).toEqual([{ page: 'account/settings-password', action: 'update', diff: {} }])
  })

  test('a super administrator needs twelve characters', async () => {
    const { me, change } = await signedIn(instance, 'SUPER_ADMIN')
    expect((await me.get<{ min: number }>(PATH)).data.min).toBe(12)
    expect(await change('kq7-mxv3b')).toMatchObject({ data: { fields: { password: 'At least 12 characters' } } })
    expect(await change('kq7-mxv3b-9p')).toMatchObject({ code: 0 })
  })
})

describe('in the strict profile', () => {
  test('three kinds of characters are needed, and none of the last five comes back', async () => {
    const strict = await openTestInstance({ env: { CAPTCHA: 'off', SECURITY_PROFILE: 'djbh' } })
    const { me, change } = await signedIn(strict)
    // Asked of everybody there, before anything else.
    await strict.app.db.query.updateTable('staff').set({ has_factor: true }).where('id', '=', me.id).execute()
    expect((await me.get<object>(PATH)).data).toEqual({ min: 8, max: 128, classes: 3, remembered: 5, maxAgeDays: 90 })
    expect(await change('brush and bamboo')).toMatchObject({
      data: { fields: { password: expect.stringContaining('At least 3 of') } },
    })
    const next = (turn: number) => `Brush & bamboo ${turn}`
    expect(await change(next(1))).toMatchObject({ code: 0 })
    for (let turn = 2; turn <= 4; turn += 1) expect(await change(next(turn), next(turn - 1))).toMatchObject({ code: 0 })
    const used = { data: { fields: { password: 'You cannot reuse any of your last 5 passwords' } } }
    expect(await change(PASSWORD, next(4))).toMatchObject(used)
    expect(await change(next(1), next(4))).toMatchObject(used)
    expect(await change(next(5), next(4))).toMatchObject({ code: 0 })
    expect(await change(next(1), next(5))).toMatchObject(used)
    expect(await change(PASSWORD, next(5))).toMatchObject({ code: 0 })
    const kept = await strict.app.db.query
      .selectFrom('password_history')
      .select('id')
      .where('staff_id', '=', me.id)
      .execute()
    expect(kept).toHaveLength(4)
  })

  test('the ordinary profile keeps no old passwords', async () => {
    const { me, change } = await signedIn()
    await change(NEW)
    expect(
      await instance.app.db.query.selectFrom('password_history').select('id').where('staff_id', '=', me.id).execute(),
    ).toEqual([])
  })
})
