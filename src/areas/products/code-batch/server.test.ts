import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Decision } from '#kit/model/decision.ts'
import { whyNot } from '#kit/model/workflow.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { codeBatch } from '../../../../tools/testing/codes.ts'
import { enrol, grantOf } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { readSheet } from '../../../../tools/testing/sheet.ts'
import { codeKeys, grouped, newCode, parseCode } from './code.server.ts'
import { type CodeBatch, expiredOf, whyNotExport, workflow } from './model.ts'

const PAGE = 'product-exchange'
const CALL = '/products/code-batch'
const MAKE = {
  [PAGE]: ['list', 'detail', 'create', 'withdraw', 'approve', 'reject', 'activate', 'pause', 'resume', 'close'],
}
const LEAD = { [PAGE]: [...MAKE[PAGE], 'exportCodes', 'confirm'] }

const batchRow = (given: Partial<CodeBatch>) =>
  ({ applicantId: '1', exportedBy: null, confirmedAt: null, made: 10, quantity: 10, ...given }) as CodeBatch

describe('who may take which step in which state', () => {
  const PEOPLE = { applicant: '1', manager: '2', colleague: '3' } as const
  const open = (given: Partial<CodeBatch>) =>
    Object.entries(PEOPLE).map(([who, id]) => {
      const row = batchRow(given)
      const steps = Object.keys(workflow.steps).filter(step => !whyNot(workflow, step, row, { id }, undefined))
      return `${who}: ${[...steps, ...(whyNotExport(row, { id }) ? [] : ['export'])].join(', ') || 'nothing'}`
    })

  test.each([
    ['new', { status: 'DRAFT', made: 0 }, ['withdraw', 'approve, reject', 'approve, reject']],
    ['approved, its codes being made', { status: 'APPROVED', made: 3 }, ['close', 'close', 'close']],
    [
      'approved',
      { status: 'APPROVED' },
      ['activate, close, export', 'activate, close, export', 'activate, close, export'],
    ],
    [
      'exported by the manager',
      { status: 'ACTIVE', exportedBy: '2' },
      ['pause, close', 'confirm, pause, close, export', 'pause, close'],
    ],
    [
      'confirmed by the manager',
      { status: 'ACTIVE', exportedBy: '2', confirmedAt: '2026-03-02T00:00:00Z' },
      ['pause, close', 'pause, close', 'pause, close'],
    ],
    ['paused', { status: 'PAUSED' }, ['resume, close, export', 'resume, close, export', 'resume, close, export']],
    ['rejected', { status: 'REJECTED', made: 0 }, ['nothing', 'nothing', 'nothing']],
    ['withdrawn', { status: 'WITHDRAWN', made: 0 }, ['nothing', 'nothing', 'nothing']],
    ['expired', { status: 'EXPIRED', made: 0 }, ['nothing', 'nothing', 'nothing']],
    ['closed', { status: 'CLOSED', exportedBy: '2' }, ['nothing', 'nothing', 'nothing']],
  ] as const)('a batch that is %s', (_name, given, expected) => {
    expect(open(given)).toEqual(Object.keys(PEOPLE).map((who, index) => `${who}: ${expected[index]}`))
  })
})

describe('a code', () => {
  test('has twenty characters nobody mistakes for others, and no two are alike', () => {
    const codes = Array.from({ length: 2_000 }, newCode)
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{20}$/)
    expect(new Set(codes).size).toBe(2_000)
    expect(new Set(codes.join('')).size).toBe(32)
  })

  test.each([
    ['as printed', (code: string) => grouped(code)],
    ['in small letters with spaces', (code: string) => grouped(code).toLowerCase().replaceAll('-', ' ')],
    [
      'in full width',
      (code: string) => code.replace(/./g, sign => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
    ],
  ])('is understood %s', (_name, typed) => {
    const code = newCode()
    expect(parseCode(typed(code))).toBe(code)
  })

  test.each(['', 'ABCD', 'ABCD-EFGH-JKLM-NPQR-STU0', 'ABCD-EFGH-JKLM-NPQR-STUVW'])('"%s" is none', typed => {
    expect(parseCode(typed)).toBeUndefined()
  })

  test('is opened by its own installation and for its own batch only', () => {
    const [ours, theirs] = [{ CODE_SECRET: 'ours-0123456789ab' }, { CODE_SECRET: 'theirs-0123456789' }].map(codeKeys)
    const sealed = ours?.seal(['ABCD', 'EFGH'], '7') ?? Buffer.alloc(0)
    expect(ours?.open(sealed, '7')).toEqual(['ABCD', 'EFGH'])
    expect(() => ours?.open(sealed, '8')).toThrow()
    expect(() => theirs?.open(sealed, '7')).toThrow()
    expect(ours?.hash('ABCD')).not.toEqual(theirs?.hash('ABCD'))
  })

  test('expires with the last day of its batch, unless it was used or void', () => {
    const batch = { made: 10, used: 3, voided: 2, validTo: '2026-03-02' }
    expect([expiredOf(batch, '2026-03-02'), expiredOf(batch, '2026-03-03')]).toEqual([0, 5])
  })
})

describe('a batch of codes', () => {
  let instance: TestInstance
  let maker: Caller
  let lead: Caller
  let other: Caller

  beforeAll(async () => {
    instance = await openTestInstance()
    maker = await person(instance, { grants: MAKE })
    lead = await person(instance, { grants: LEAD })
    other = await person(instance, { grants: LEAD })
  })

  const body = (given: object = {}) => ({
    name: '春季赠课',
    buyer: '第一小学',
    grants: [grantOf('MEMBER_DAYS', 30)],
    quantity: 5,
    perPerson: 1,
    unitPriceFen: 9_900,
    validFrom: '2026-01-01',
    validTo: '2099-12-31',
    ...given,
  })
  const create = async (given: object = {}, by = maker) => (await by.post<{ id: string }>(CALL, body(given))).data.id
  const stored = (id: string) =>
    instance.app.db.query
      .selectFrom('code_batch')
      .select(['status', 'made', 'voided', 'exported_by', 'checksum', 'confirmed_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const codesOf = (id: string) =>
    instance.app.db.query
      .selectFrom('redemption_code')
      .select(['hash', 'last4', 'status'])
      .where('batch_id', '=', id)
      .execute()
  const isReadable = async (id: string) =>
    (await instance.app.db.query.selectFrom('sealed_codes').select('part').where('batch_id', '=', id).execute())
      .length > 0
  const approved = async (given: object = {}) => {
    const id = await create(given)
    await lead.post(`${CALL}/${id}/approve`)
    await instance.outbox.run()
    return id
  }
  const exportBy = async (by: Caller, id: string) => {
    const answer = await instance.http.inject({
      method: 'POST',
      url: `/api${CALL}/${id}/export-codes`,
      headers: { authtoken: by.token, 'accept-language': 'en-US' },
    })
    return {
      code: Number(answer.headers.code),
      checksum: String(answer.headers.checksum),
      bytes: answer.rawPayload,
      answer,
    }
  }

  test('is approved by somebody else, and only then are its codes made', async () => {
    const id = await create()
    expect(await maker.post(`${CALL}/${id}/approve`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: You submitted it yourself; a colleague has to decide',
    })
    await instance.outbox.run()
    expect(await stored(id)).toMatchObject({ status: 'DRAFT', made: 0 })
    expect(await codesOf(id)).toEqual([])

    expect(await lead.post(`${CALL}/${id}/approve`)).toMatchObject({ code: 0 })
    expect(await lead.post(`${CALL}/${id}/activate`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: The codes are still being generated: 0 of 5',
    })
    await instance.outbox.run()
    expect(await stored(id)).toMatchObject({ status: 'APPROVED', made: 5 })
    expect(await codesOf(id)).toHaveLength(5)
    expect(await lead.post(`${CALL}/${id}/activate`)).toMatchObject({ code: 0 })
  })

  test('that somebody else rejects gets no codes; whoever made it is told why, and the no can be taken back', async () => {
    const asker = await person(instance, { grants: MAKE })
    const id = await create({}, asker)
    expect(await asker.post(`${CALL}/${id}/reject`, { reason: 'mine' })).toMatchObject({ code: 4006 })
    expect(await lead.post(`${CALL}/${id}/reject`)).toMatchObject({ code: 4005 })
    expect(await lead.post(`${CALL}/${id}/reject`, { reason: 'no contract yet' })).toMatchObject({ code: 0 })
    expect(await stored(id)).toMatchObject({ status: 'REJECTED', made: 0 })
    const { data } = await asker.get<Decision[]>('/workbench/workbench/decisions')
    expect(data).toMatchObject([{ state: 'Rejected', reason: 'no contract yet' }])
    expect(await lead.post(`${CALL}/${id}/reject/undo`)).toMatchObject({ code: 0 })
    expect(await lead.post(`${CALL}/${id}/approve`)).toMatchObject({ code: 0 })
  })

  test('is withdrawn by whoever made it, by nobody else, and only while it waits', async () => {
    const id = await create()
    expect(await lead.post(`${CALL}/${id}/withdraw`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: Only whoever submitted it can withdraw it',
    })
    expect(await maker.post(`${CALL}/${id}/withdraw`)).toMatchObject({ code: 0 })
    expect(await lead.post(`${CALL}/${id}/approve`)).toMatchObject({ code: 4006 })
    expect(await maker.post(`${CALL}/${await approved()}/withdraw`)).toMatchObject({ code: 4006 })
  })

  test('that nobody decides on within thirty days is over, and one that waited before there was an end goes on waiting', async () => {
    const [id, older] = [await create(), await create()]
    const end = (expires_at: Date | null, batch: string) =>
      instance.app.db.query.updateTable('code_batch').set({ expires_at }).where('id', '=', batch).execute()
    await end(instance.clock.now(), id)
    await end(null, older)
    expect(await lead.post(`${CALL}/${id}/approve`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('time to decide'),
    })
    await instance.house.runJobs()
    expect(await stored(id)).toMatchObject({ status: 'EXPIRED', made: 0 })
    expect(await stored(older)).toMatchObject({ status: 'DRAFT' })
    expect(await lead.post(`${CALL}/${older}/approve`)).toMatchObject({ code: 0 })
  })

  test('cannot have one person as both, nor codes without a yes, even in the database', async () => {
    const id = await create()
    const write = (by: object) => instance.app.db.query.updateTable('code_batch').set(by).where('id', '=', id).execute()
    await expect(write({ l1_by: maker.id })).rejects.toThrow('code_batch_check')
    await expect(write({ status: 'APPROVED', ended_at: new Date() })).rejects.toThrow('code_batch_agreed')
  })

  test('of more than a part at a time gets exactly as many codes as it asks for, all different', async () => {
    const id = await approved({ quantity: 2_300 })
    await instance.outbox.run()
    const codes = await codesOf(id)
    expect(new Set(codes.map(({ hash }) => hash.toString('hex'))).size).toBe(2_300)
    expect(await stored(id)).toMatchObject({ made: 2_300 })
  })

  test.each([
    ['more codes than a batch may have', { quantity: 100_001 }, 'quantity'],
    ['a last day before the first', { validFrom: '2027-01-02', validTo: '2027-01-01' }, 'validTo'],
    ['a last day that is over', { validFrom: '2020-01-01', validTo: '2020-01-02' }, 'validTo'],
    ['parts that are not worth the whole', { grants: [grantOf('MEMBER_DAYS', 30, 900)] }, 'grants'],
    ['nothing to give', { grants: [] }, 'grants'],
  ])('with %s is refused', async (_name, given, field) => {
    const answer = await maker.post<{ fields: Record<string, string> }>(CALL, body(given))
    expect(answer.code).toBe(4005)
    expect(Object.keys(answer.data.fields)).toContain(field)
  })

  test('gives its codes away once: to one person, as a file with that person’s watermark', async () => {
    const id = await approved()
    const { checksum, bytes } = await exportBy(lead, id)
    expect(checksum).toBe(createHash('sha256').update(bytes).digest('hex'))
    const { rows, watermark } = await readSheet(bytes)
    const keys = codeKeys(instance.app.env)
    const hashes = (await codesOf(id)).map(({ hash }) => hash.toString('hex'))
    expect(rows.map(([, code]) => keys.hash(parseCode(String(code)) ?? '').toString('hex')).sort()).toEqual(
      hashes.sort(),
    )
    const { name } = await instance.app.db.query
      .selectFrom('staff')
      .select('name')
      .where('id', '=', lead.id)
      .executeTakeFirstOrThrow()
    expect(watermark).toContain(name)

    const refused = await exportBy(other, id)
    expect(refused.answer.json()).toMatchObject({
      code: 4006,
      msg: 'This could not be done: A colleague has exported them; only that person can export them again',
    })
    expect(await stored(id)).toMatchObject({ exported_by: lead.id, checksum })
    expect((await exportBy(lead, id)).code).toBe(0)
    const { data } = await lead.get<{ action: string }[]>(`${CALL}/${id}/timeline`)
    expect(data.map(({ action }) => action)).toEqual(['exportCodes', 'exportCodes', 'approve', 'create'])
  })

  test('keeps no readable code once whoever exported it has confirmed the file', async () => {
    const id = await approved()
    const { checksum } = await exportBy(lead, id)
    const wrong = 'a'.repeat(64)
    expect(await lead.post(`${CALL}/${id}/confirm`, { checksum: wrong })).toMatchObject({
      code: 4005,
      data: { fields: { checksum: 'This is not the file exported last; check that it is the latest one' } },
    })
    expect(await other.post(`${CALL}/${id}/confirm`, { checksum })).toMatchObject({ code: 4006 })
    expect(await isReadable(id)).toBe(true)
    expect(await stored(id)).toMatchObject({ confirmed_at: null })

    expect(await lead.post(`${CALL}/${id}/confirm`, { checksum: checksum.toUpperCase() })).toMatchObject({ code: 0 })
    expect(await isReadable(id)).toBe(false)
    expect((await exportBy(lead, id)).answer.json()).toMatchObject({
      code: 4006,
      msg: 'This could not be done: Receipt of the file is confirmed; no readable codes are kept',
    })
  })

  test('of two who export at once, one gets the codes', async () => {
    const id = await approved()
    const answers = await Promise.all([exportBy(lead, id), exportBy(other, id)])
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  test('that is closed, with a reason, leaves nothing to redeem and nothing to read', async () => {
    const id = await approved()
    expect(await maker.post(`${CALL}/${id}/close`)).toMatchObject({ code: 4005 })
    expect(await stored(id)).toMatchObject({ status: 'APPROVED', voided: 0 })
    expect(await maker.post(`${CALL}/${id}/close`, { reason: 'contract ended' })).toMatchObject({ code: 0 })
    expect(await isReadable(id)).toBe(false)
    await instance.outbox.run()
    expect(await stored(id)).toMatchObject({ status: 'CLOSED', voided: 5 })
    expect((await codesOf(id)).map(({ status }) => status)).toEqual(Array(5).fill('VOID'))
  })

  test('shows its codes by their last four characters, and whose they are to those who may see it', async () => {
    const redeemer = await person(instance, { grants: { 'order-exchange': ['list', 'redeem'] } })
    const { id, codes } = await codeBatch(instance, { applicantId: maker.id, approvedBy: lead.id }, { quantity: 3 })
    const memberId = await enrol(instance, { ownerId: redeemer.id, orgId: redeemer.orgId })
    await redeemer.post('/orders/redemption/redeem', { code: codes[1], memberId })
    type Listed = { records: { last4: string; status: string; member: { note: string } | null }[]; total: number }
    const { data } = await lead.get<Listed>(`${CALL}/${id}/codes?size=10`)
    expect(data.total).toBe(3)
    expect(data.records.map(({ last4, status }) => [last4, status])).toEqual([
      [codes[0]?.slice(-4), 'UNUSED'],
      [codes[1]?.slice(-4), 'REDEEMED'],
      [codes[2]?.slice(-4), 'UNUSED'],
    ])
    expect(data.records[1]?.member?.note).toMatch(/^\d{3}\*{4}\d{4}$/)
    const own = await person(instance, { grants: { [PAGE]: ['detail'] }, scope: 'SELF' })
    const seen = await own.get<Listed>(`${CALL}/${id}/codes?status=REDEEMED`)
    expect([seen.data.total, seen.data.records[0]?.member]).toEqual([1, null])
    expect(JSON.stringify([data, seen])).not.toContain(parseCode(codes[1] ?? ''))
  })

  test('everything adds up', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
