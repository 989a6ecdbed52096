import { beforeAll, expect, test } from 'vitest'
import { findBroken, repairKept } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { codeBatch } from '../../../../tools/testing/codes.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'

const CALL = '/products/code-batch'
const STAFF = '/organisation/staff'
const EXPORTS = { 'product-exchange': ['list', 'detail', 'exportCodes', 'confirm'] }

let instance: TestInstance
let personnel: Caller
let maker: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  personnel = await person(instance, { grants: { 'org-user': ['list', 'detail', 'leave', 'handOver'] } })
  maker = await person(instance)
})

const exportBy = (by: Caller, id: string) => by.post(`${CALL}/${id}/export-codes`)
const confirm = (by: Caller, id: string, checksum: string) => by.post(`${CALL}/${id}/confirm`, { checksum })
const stored = async (id: string) =>
  (await run(instance.app.db.query, 'select exported_by::text as by, checksum from code_batch where id = $1', [id]))[0]

/** Somebody with a file of codes that has not arrived yet, as far as anybody has said. */
async function exporter() {
  const who = await person(instance, { grants: EXPORTS })
  const { id: batchId } = await codeBatch(instance, { applicantId: maker.id, approvedBy: personnel.id })
  const { headers } = await exportBy(who, batchId)
  return { ...who, batchId, checksum: String(headers.checksum) }
}

test('codes that are out with somebody who leaves are said beforehand, and go on to whoever takes over and may export', async () => {
  const [who, to] = [await exporter(), await person(instance, { grants: EXPORTS })]
  const { data } = await personnel.get<{ what: string; count: number }[]>(`${STAFF}/${who.id}/belongings`)
  expect(data).toEqual([{ what: 'Redemption codes · exported, receipt not confirmed', count: 1, moves: true }])
  expect(await personnel.post(`${STAFF}/${who.id}/leave`, { successorId: to.id })).toMatchObject({ code: 0 })
  expect(await stored(who.batchId)).toEqual({ by: to.id, checksum: who.checksum })
  expect(await confirm(to, who.batchId, who.checksum)).toMatchObject({ code: 0 })
  const { data: lines } = await to.get<{ action: string }[]>(`${CALL}/${who.batchId}/timeline`)
  expect(lines.map(({ action }) => action)).toEqual(['confirm', 'exportCodes', 'exportCodes'])
})

test('they are free again where whoever takes over may not export: the old file arrives no more, and another is made', async () => {
  const [who, to] = [await exporter(), await person(instance)]
  expect(await personnel.post(`${STAFF}/${who.id}/handOver`, { successorId: to.id })).toMatchObject({ code: 0 })
  expect(await stored(who.batchId)).toEqual({ by: null, checksum: null })
  const other = await person(instance, { grants: EXPORTS })
  expect(await confirm(other, who.batchId, who.checksum)).toMatchObject({ code: 4006 })
  expect((await exportBy(other, who.batchId)).headers.code).toBe('0')
})

test('what was confirmed stays with whoever confirmed it', async () => {
  const [who, to] = [await exporter(), await person(instance, { grants: EXPORTS })]
  await confirm(who, who.batchId, who.checksum)
  await personnel.post(`${STAFF}/${who.id}/leave`, { successorId: to.id })
  expect(await stored(who.batchId)).toMatchObject({ by: who.id })
})

test('codes that stayed with somebody who has left are found, and freed', async () => {
  const who = await exporter()
  await run(
    instance.app.db.query,
    `update staff set employment = 'LEFT', status = 'DISABLED', left_on = current_date where id = $1`,
    [who.id],
  )
  const broken = async () =>
    (await findBroken(instance.app.db, instance.catalogue, name => name.includes('take codes out'))).length
  expect(await broken()).toBe(1)
  await repairKept(instance.app.db, instance.catalogue)
  expect([await broken(), await stored(who.batchId)]).toEqual([0, { by: null, checksum: null }])
})
