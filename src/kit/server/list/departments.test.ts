import { beforeAll, describe, expect, test } from 'vitest'
import type { TreeOfNodes } from '#kit/model/tree.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, org, person, type TestInstance } from '../../../../tools/testing/instance.ts'

const GRANTS = { 'member-list': ['list', 'detail', 'export'] }
const PATH = '/members/member'

describe('departments at the side of a list', () => {
  let instance: TestInstance
  const orgs: Record<string, string> = {}

  beforeAll(async () => {
    instance = await openTestInstance()
    const add = async (name: string, above?: string) => {
      const id = await org(instance, above === undefined ? undefined : { id: above, path: '' })
      await instance.app.db.query.updateTable('org').set({ name }).where('id', '=', id).execute()
      orgs[name] = id
      return id
    }
    const root = await add('root')
    const sales = await add('sales', root)
    const many = {
      [await add('north', sales)]: 3,
      [await add('south', sales)]: 2,
      [sales]: 1,
      [await add('finance', root)]: 4,
    }
    for (const [orgId, rows] of Object.entries(many)) {
      const owner = await person(instance, { orgId })
      for (let at = 0; at < rows; at += 1) await enrol(instance, { ownerId: owner.id, orgId })
    }
  })

  const tree = async (by: Caller) => (await by.get<TreeOfNodes>(`${PATH}/departments`)).data.nodes
  const told = async (by: Caller) => {
    const nodes = await tree(by)
    const nameOf = (id: string | null) => nodes.find(node => node.id === id)?.name ?? null
    return nodes
      .filter(({ id }) => Object.values(orgs).includes(id))
      .map(({ name, parentId, beside }) => [name, nameOf(parentId), beside])
      .sort(([, , one], [, , other]) => Number(other) - Number(one))
  }
  const listed = async (by: Caller, ...names: string[]) => {
    const asked = names.map(name => `department=${orgs[name] ?? name}`).join('&')
    const { data } = await by.get<{ records: { name: string }[]; total: number }>(`${PATH}?size=100&${asked}`)
    expect(data.total).toBe(data.records.length)
    return data.records.length
  }

  test('have each the number of its rows with those below, and the list answers the same', async () => {
    const admin = await person(instance, { superAdmin: true })
    expect(await told(admin)).toEqual([
      ['root', null, '10'],
      ['sales', 'root', '6'],
      ['finance', 'root', '4'],
      ['north', 'sales', '3'],
      ['south', 'sales', '2'],
    ])
    expect(await listed(admin, 'sales')).toBe(6)
    expect(await listed(admin, 'north')).toBe(3)
    expect(await listed(admin, 'north', 'finance')).toBe(7)
    const { data } = await admin.get<Record<string, number>>(`${PATH}/counts?department=${orgs.sales}`)
    expect(Object.values(data).reduce((sum, n) => sum + n, 0)).toBe(6)
  })

  test('of others are neither named nor counted, whatever is asked', async () => {
    const leader = await person(instance, {
      grants: GRANTS,
      scope: 'DEPARTMENT_AND_BELOW',
      orgId: orgs.sales as string,
    })
    expect(await tree(leader)).toEqual([
      { id: orgs.sales, parentId: null, name: 'sales', beside: '6', children: 2 },
      { id: orgs.north, parentId: orgs.sales, name: 'north', beside: '3', children: 0 },
      { id: orgs.south, parentId: orgs.sales, name: 'south', beside: '2', children: 0 },
    ])
    expect(await listed(leader, 'root')).toBe(6)
    expect(await listed(leader, 'finance')).toBe(0)
    const seller = await person(instance, { grants: GRANTS, scope: 'SELF', orgId: orgs.north as string })
    expect(await tree(seller)).toEqual([{ id: orgs.north, parentId: null, name: 'north', beside: '0', children: 0 }])
    expect(await listed(seller, 'sales')).toBe(0)
  })

  test('are asked for by their ids alone, and only where the list has them', async () => {
    const admin = await person(instance, { superAdmin: true })
    expect(await admin.get(`${PATH}?department=x`)).toMatchObject({ code: 4000 })
    expect(await admin.get(`/products/product?department=1`)).toMatchObject({ code: 4000 })
    expect(await listed(admin, '999999')).toBe(0)
    expect(await (await person(instance, { grants: {} })).get(`${PATH}/departments`)).toMatchObject({ status: 403 })
  })
})
