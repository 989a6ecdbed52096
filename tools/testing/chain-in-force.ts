import { expect } from 'vitest'
import { person, type TestInstance } from './instance.ts'

const RULES = { 'liteflow-chain': ['list', 'detail', 'create', 'update', 'drafts', 'publish'] }

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
