import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { person, type TestInstance } from './instance.ts'

const RULES = { 'liteflow-chain': ['list', 'detail', 'create', 'update', 'drafts', 'publish'] }

/** What the runs about a record tell of what they had done, the oldest run first. */
export async function deedsOf({ app }: TestInstance, event: string, recordId: string): Promise<string[]> {
  const runs = await app.db.query
    .selectFrom('rule_run')
    .select('outcome')
    .where('event', '=', event)
    .where('record_id', '=', recordId)
    .orderBy('id')
    .execute()
  const told = runs.flatMap(({ outcome }) => (JSON.parse(outcome) as { deeds?: Told[] }).deeds ?? [])
  return told.map(({ node, result }) => `${node} ${result}`)
}
type Told = { readonly node: string; readonly result: string }

/** Why a chain for this event cannot be published. */
export async function refusedFor(instance: TestInstance, event: string | null, source: string): Promise<string> {
  const clerk = await person(instance, { grants: RULES })
  const other = await person(instance, { grants: RULES })
  const chainId = `refused${randomUUID().slice(0, 8)}`
  const fields = { name: chainId, chainId, event, note: '', enabled: true, source }
  const { data } = await clerk.post<{ id: string; version: number }>('/system/rule-chain', fields)
  const path = `/system/rule-chain/${data.id}`
  const { version } = (await clerk.get<{ version: number }>(path)).data
  return (await other.post(`${path}/publish`, { version })).msg
}

/** Runs a chain once as somebody who tries it. */
export async function dryRun(instance: TestInstance, source: string): Promise<unknown> {
  const clerk = await person(instance, { grants: { 'liteflow-chain': ['detail', 'try'] } })
  return (await clerk.post('/system/rule-chain/try', { source, facts: '{}' })).data
}

/** A chain for this event, written by one and published by another; gives how it is written anew. */
export async function putInForce(
  instance: TestInstance,
  event: string,
  source: string,
): Promise<(source: string) => Promise<void>> {
  const [writer, publisher] = [await person(instance, { grants: RULES }), await person(instance, { grants: RULES })]
  const fields = { name: event, event, note: '', enabled: true }
  const { data } = await writer.post<{ id: string }>('/system/rule-chain', { ...fields, chainId: event, source })
  const path = `/system/rule-chain/${data.id}`
  const version = async () => (await writer.get<{ version: number }>(path)).data.version
  const publish = async () =>
    expect(await publisher.post(`${path}/publish`, { version: await version() })).toMatchObject({ code: 0 })
  await publish()
  return async anew => {
    const written = await writer.put(path, { ...fields, source: anew, version: await version() })
    expect(written).toMatchObject({ code: 0 })
    await publish()
  }
}
