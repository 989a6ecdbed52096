import { beforeAll, describe, expect, test } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { run } from '#kit/server/database/database.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { Position } from './model.ts'

const path = '/organisation/position'

describe('positions', () => {
  let instance: TestInstance
  let admin: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    admin = await person(instance, { superAdmin: true })
  })

  let made = 0
  const add = async (more: Partial<Position> = {}) => {
    const body = { name: '书法老师', code: `P-${++made}`, grade: null, isVirtual: false, note: '', ...more }
    return admin.post<{ id: string }>(path, body)
  }
  const read = async (id: string) =>
    (await admin.get<Position & { steps: Record<string, { code: string } | null> }>(`${path}/${id}`)).data
  const hold = (staffId: string, positionId: string, since: string, until: string | null, isPrimary = true) =>
    run(
      instance.app.db.query,
      'insert into staff_position (staff_id, position_id, is_primary, since, until) values ($1, $2, $3, $4, $5)',
      [staffId, positionId, isPrimary, since, until],
    )

  test('a position has a code of its own, which stays', async () => {
    const { data } = await add({ code: 'TEACHER', grade: 'E3' })
    expect(await add({ code: 'TEACHER' })).toMatchObject({ code: CODES.validation, data: { fields: { code: {} } } })
    const { version } = await read(data.id)
    const body = { name: '点评老师', grade: 'E4', isVirtual: false, note: '', version }
    expect(await admin.put(`${path}/${data.id}`, { ...body, code: 'OTHER' })).toMatchObject({ code: CODES.validation })
    expect(await admin.put(`${path}/${data.id}`, body)).toMatchObject({ code: 0 })
    expect(await read(data.id)).toMatchObject({ code: 'TEACHER', name: '点评老师', grade: 'E4' })
  })

  test('a job grade is one of the dictionary', async () => {
    expect(await add({ grade: 'E9' })).toMatchObject({ code: CODES.validation })
  })

  test('what somebody holds or held once is not deleted, and the refusal says so', async () => {
    const [held, once, never] = await Promise.all([add(), add(), add()])
    const { id } = await person(instance, { name: '陈静' })
    await hold(id, held.data.id, '2026-01-01', null)
    await hold(id, once.data.id, '2025-01-01', '2025-06-01')
    expect((await read(held.data.id)).steps.delete).toMatchObject({ code: 'is-held' })
    expect(await admin.remove(`${path}/${held.data.id}`)).toMatchObject({ msg: expect.stringContaining('1 employee') })
    expect(await admin.remove(`${path}/${once.data.id}`)).toMatchObject({ msg: expect.stringContaining('held before') })
    expect(await admin.remove(`${path}/${never.data.id}`)).toMatchObject({ code: 0 })
  })

  test('who holds it is named, and not who did before', async () => {
    const { data } = await add()
    const [now, before] = [await person(instance, { name: '在任' }), await person(instance, { name: '离任' })]
    await hold(now.id, data.id, '2026-01-01', null)
    await hold(before.id, data.id, '2025-01-01', '2026-01-01')
    expect((await read(data.id)).holders).toMatchObject([{ name: '在任', isPrimary: true }])
  })

  test('a disabled position is offered to nobody, and can be enabled again', async () => {
    const { data } = await add({ name: '停用岗位' })
    const offered = async () =>
      (
        await admin.get<{ id: string }[]>(
          `/common/reference/position?offered=true&query=${encodeURIComponent('停用岗位')}`,
        )
      ).data
    expect(await offered()).toHaveLength(1)
    await admin.post(`${path}/${data.id}/disable`)
    expect(await offered()).toHaveLength(0)
    await admin.post(`${path}/${data.id}/enable`)
    expect(await offered()).toHaveLength(1)
  })

  test('the database keeps one primary position at a time, and knows it as the present one', async () => {
    const [first, second] = [(await add()).data.id, (await add()).data.id]
    const { id } = await person(instance)
    await hold(id, first, '2025-01-01', '2026-01-01')
    await hold(id, second, '2026-01-01', null)
    await expect(hold(id, first, '2026-03-01', null)).rejects.toThrow('staff_position_one_primary')
    await hold(id, first, '2026-03-01', null, false)
    await expect(hold(id, first, '2026-05-01', null, false)).rejects.toThrow('staff_position_once')
    const [staff] = await run(instance.app.db.query, 'select position_id from staff where id = $1', [id])
    expect(String(staff?.position_id)).toBe(second)
  })
})
