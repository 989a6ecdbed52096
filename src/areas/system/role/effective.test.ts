import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { Effective } from './effective.model.ts'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

const ask = async (staffId: string, page: string) => {
  const reader = await person(instance, { grants: { 'iam-role': ['detail'] } })
  return reader.post<Effective>('/system/role/effective', { staffId, page })
}
const verdictOn = ({ verdicts }: Effective, key: string) => verdicts.find(verdict => verdict.key === key)

describe('what a person may do on a page', () => {
  test('is told with the role that allows it, and the roles that would', async () => {
    const who = await person(instance, { grants: { 'member-list': ['list'] }, scope: 'SELF' })
    const other = await person(instance, { grants: { 'member-list': ['list', 'reveal'] } })
    const { data } = await ask(who.id, 'member-list')
    expect(verdictOn(data, 'member-list')).toMatchObject({ isHeld: true, by: [who.role] })
    expect(verdictOn(data, 'member-list:list')).toMatchObject({ isHeld: true, by: [who.role], elsewhere: [] })
    expect(verdictOn(data, 'member-list:reveal')).toMatchObject({ isHeld: false, by: [], elsewhere: [other.role] })
    expect(data.person.roles).toEqual([who.role])
  })

  test('says whose rows each role shows, where rows are somebody’s', async () => {
    const who = await person(instance, {
      grants: { 'member-list': ['list'], dictionary: ['list'] },
      scope: 'DEPARTMENT',
    })
    expect((await ask(who.id, 'member-list')).data.reaches).toEqual([
      { role: who.role, scope: 'DEPARTMENT', departments: [] },
    ])
    expect((await ask(who.id, 'dictionary')).data.reaches).toBeNull()
    expect((await ask(who.id, 'order-list')).data.reaches).toEqual([])
  })

  test('says which masked fields may be opened, and by what', async () => {
    const [reads, opens] = [
      await person(instance, { grants: { 'member-list': ['list'] } }),
      await person(instance, { grants: { 'member-list': ['list', 'reveal'] } }),
    ]
    const phoneOf = async (id: string) =>
      (await ask(id, 'member-list')).data.fields.find(({ name }) => name === 'Phone')
    expect(await phoneOf(reads.id)).toMatchObject({ isOpen: false, right: 'View personal data in full', by: [] })
    expect(await phoneOf(opens.id)).toMatchObject({ isOpen: true, by: [opens.role] })
  })

  test('is nothing for an account that is shut, and everything for a super administrator', async () => {
    const who = await person(instance, { grants: { 'member-list': ['list'] } })
    await instance.app.db.query.updateTable('staff').set({ status: 'DISABLED' }).where('id', '=', who.id).execute()
    const { data } = await ask(who.id, 'member-list')
    expect(verdictOn(data, 'member-list:list')).toMatchObject({ isHeld: false, by: [who.role] })
    const chief = await person(instance, { superAdmin: true })
    expect((await ask(chief.id, 'member-list')).data.verdicts.every(({ isHeld }) => isHeld)).toBe(true)
  })

  test('waits for a password of one’s own, and for the second factor a role asks for, and says for which', async () => {
    const firstOf = async (id: string) => (await ask(id, 'member-list')).data.person.first
    const { query } = instance.app.db
    const who = await person(instance, { grants: { 'member-list': ['list'] } })
    expect(await firstOf(who.id)).toBeNull()
    await query.updateTable('role').set({ second_factor: 'REQUIRED' }).where('code', '=', who.role).execute()
    expect(await firstOf(who.id)).toBe('FACTOR')
    await query.updateTable('staff').set({ must_change: true }).where('id', '=', who.id).execute()
    expect(await firstOf(who.id)).toBe('PASSWORD')
    await query.updateTable('staff').set({ must_change: false, has_factor: true }).where('id', '=', who.id).execute()
    expect(await firstOf(who.id)).toBeNull()
  })

  test('is not told of a page or a person there is none of', async () => {
    const who = await person(instance)
    expect(await ask(who.id, 'nowhere')).toMatchObject({ code: 4004 })
    expect(await ask('999999', 'member-list')).toMatchObject({ code: 4004 })
  })
})
