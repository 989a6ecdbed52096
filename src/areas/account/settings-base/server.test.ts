import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'
import { MAX_AVATAR_BYTES, type Profile, type ProfileChange } from './model.ts'

const PATH = '/account/settings-base'
const PHONE = '13800138000'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

const somebody = async () => {
  const { id, account } = await employ(instance, { phone: PHONE, name: '王一' })
  const me = caller(instance, id, (await signIn(instance, account)).data)
  const { data } = await me.get<Profile>(PATH)
  const { account: _account, org: _org, roles: _roles, ...form } = data
  return {
    me,
    data,
    form,
    send: (change: Partial<Record<keyof ProfileChange, unknown>>) => me.put<Profile>(PATH, { ...form, ...change }),
  }
}
const stored = (id: string) =>
  instance.app.db.query.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const picture = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`

describe('what people set about themselves', () => {
  test('is answered with the phone number masked', async () => {
    const { data } = await somebody()
    expect(data).toMatchObject({
      name: '王一',
      phone: '138****8000',
      gender: 'UK',
      email: null,
      avatar: null,
      language: null,
      roles: [],
      version: 1,
    })
  })

  test('a masked phone number that comes back untouched stays what it was', async () => {
    const { me, send } = await somebody()
    expect(await send({ email: 'wang@example.com', gender: 'F' })).toMatchObject({
      code: 0,
      data: { phone: '138****8000', version: 2 },
    })
    expect(await stored(me.id)).toMatchObject({ phone: PHONE, email: 'wang@example.com', gender: 'F', version: 2 })
  })

  test('a new phone number is stored in one form, and an empty one removes it', async () => {
    const first = await somebody()
    expect((await first.send({ phone: '+86 139-0013-9000' })).data.phone).toBe('139****9000')
    expect((await stored(first.me.id)).phone).toBe('13900139000')
    const second = await somebody()
    expect((await second.send({ phone: null })).data.phone).toBeNull()
    expect((await stored(second.me.id)).phone).toBeNull()
  })

  test("somebody else's masked number, and what is no number, are refused", async () => {
    const { me, send } = await somebody()
    for (const phone of ['139****9000', '12345', 'phone']) {
      expect(await send({ phone })).toMatchObject({
        code: 4005,
        data: { fields: { phone: 'Enter the full 11-digit phone number' } },
      })
    }
    expect(await stored(me.id)).toMatchObject({ phone: PHONE, version: 1 })
  })

  test('a new name shows at once and is found by its pinyin', async () => {
    const { me, send } = await somebody()
    await send({ name: '单雄信' })
    expect((await me.get<{ name: string }>('/auth/userInfo')).data.name).toBe('单雄信')
    expect(await stored(me.id)).toMatchObject({ name: '单雄信', name_pinyin: 'shanxiongxin' })
  })

  test('the chosen language is spoken from the next answer on', async () => {
    const { me, send } = await somebody()
    await send({ language: 'pt-BR' })
    const answer = await instance.http.inject({ url: '/api/no/such/call', headers: { authtoken: me.token } })
    expect(answer.json().msg).toContain('接口')
    const known = await instance.http.inject({
      method: 'DELETE',
      url: '/api/account/settings-sessions/999999',
      headers: { authtoken: me.token },
    })
    expect(known.json().msg).toContain('Este registro não existe')
  })

  test('two tabs: the second to save is shown the newer version and changes nothing', async () => {
    const { me, send } = await somebody()
    await send({ name: '王二' })
    expect(await send({ name: '王三' })).toMatchObject({
      status: 409,
      code: 4009,
      data: { current: { name: '王二', version: 2 } },
    })
    expect((await stored(me.id)).name).toBe('王二')
  })

  test('what nobody may set about themselves is refused', async () => {
    const { me, send } = await somebody()
    for (const field of ['account', 'status', 'orgId', 'mustChange', 'superAdmin', 'passwordHash']) {
      expect(await send({ [field]: 'x' } as never)).toMatchObject({ code: 4005 })
    }
    expect((await stored(me.id)).version).toBe(1)
  })

  test('the log tells what changed, and no phone number or picture', async () => {
    const { me, send } = await somebody()
    await send({ phone: '13900139001', email: 'wang@example.com', avatar: picture(PNG) })
    const line = await instance.app.db.query
      .selectFrom('operation_log')
      .select(['page', 'action', 'diff'])
      .where('actor_id', '=', me.id)
      .executeTakeFirstOrThrow()
    expect(line).toEqual({
      page: 'account/settings-base',
      action: 'update',
      diff: { phone: ['138****8000', '139****9001'], email: [null, 'wa***'], avatar: [null, '…'] },
    })
  })
})

describe('an avatar', () => {
  test('PNG, JPEG and WebP are taken for what their bytes say', async () => {
    const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
    const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBPVP8 ')])
    for (const [bytes, type] of [
      [PNG, 'image/png'],
      [jpeg, 'image/jpeg'],
      [webp, 'image/webp'],
    ] as const) {
      const { send } = await somebody()
      expect((await send({ avatar: picture(bytes, 'image/svg+xml') })).data.avatar).toBe(picture(bytes, type))
    }
  })

  test('anything else is refused: other types, text in disguise, too large, broken', async () => {
    const { me, send } = await somebody()
    const bad = [
      picture(Buffer.from('<svg onload=alert(1)>'), 'image/svg+xml'),
      picture(Buffer.from('<html>'), 'image/png'),
      picture(Buffer.from('GIF89a'), 'image/gif'),
      picture(Buffer.concat([PNG, Buffer.alloc(MAX_AVATAR_BYTES - PNG.length + 1)])),
      'https://example.com/a.png',
      'javascript:alert(1)',
      'data:image/png;base64,',
    ]
    for (const avatar of bad)
      expect(await send({ avatar })).toMatchObject({ code: 4005, data: { fields: { avatar: expect.any(String) } } })
    expect((await stored(me.id)).avatar).toBeNull()
    expect(
      await send({ avatar: picture(Buffer.concat([PNG, Buffer.alloc(MAX_AVATAR_BYTES - PNG.length)])) }),
    ).toMatchObject({ code: 0 })
  })
})
