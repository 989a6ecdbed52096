import { list } from './console.ts'

export type Colleague = {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly roleIds: readonly string[]
  readonly roleNames: readonly string[]
  readonly labels: { readonly orgId?: { readonly name: string } }
}

/** One of those with this role in this department: all of them have the password of the demo business. */
export async function colleague(role: string, department: string, nth = 0): Promise<Colleague> {
  const people = await list<Colleague>('admin', '/system/user?accountState=ENABLED&size=100')
  const found = people.filter(({ roleNames, labels }) => roleNames.includes(role) && labels.orgId?.name === department)
  const wanted = found[nth]
  if (!wanted) throw new Error('the demo business has no such colleague')
  return wanted
}
