import { requireGrants, requireTargets } from '#areas/products/product/server.ts'
import { nextNumber, numbersKept } from '#engines/sequence/server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { agree, asking, endings } from '#kit/server/work/agreement.ts'
import { codeRoutes } from './codes.server.ts'
import { exportRoute } from './export.server.ts'
import { listeners, invariants as passedOn } from './leaving.server.ts'
import { askForCodes, askForVoiding, makingCodes, voidingCodes } from './making.server.ts'
import { type CodeBatch, DAYS_TO_DECIDE, resource, workflow } from './model.ts'

const { effects, undo, jobs, invariants: agreed } = endings(resource, workflow)

const served = serve(resource, {
  workflow,
  async store(op, input, _before, write) {
    requireGrants(input.grants)
    await requireTargets(op, input.grants)
    requireTime(input, dayOf(op.now))
    return write({ ...input, batchNo: await nextNumber(op, 'B'), ...asking(op, DAYS_TO_DECIDE) })
  },
  effects: {
    ...effects,
    approve: (op, row) =>
      agree(op, row, 'l1By', async () => {
        await askForCodes(op, row.id)
        return {}
      }),
    confirm: (op, row, { checksum }) => confirmFile(op, row, checksum.toLowerCase()),
    close,
  },
  undo,
})

export const routes: Routes = app => [...served(app), ...codeRoutes(app), exportRoute(app)]
export { jobs, listeners }
export const deliveries = [makingCodes, voidingCodes]

function requireTime({ validFrom, validTo }: Pick<CodeBatch, 'validFrom' | 'validTo'>, today: string): void {
  const wrong = validTo < validFrom ? 'ends-before-it-begins' : validTo < today ? 'ends-in-the-past' : undefined
  if (wrong) throw onField('validTo', refuse(wrong))
}

/** The file has arrived whole: nobody needs the codes here any more, and only their hashes stay. */
async function confirmFile(op: Operation, row: CodeBatch, checksum: string): Promise<Partial<CodeBatch>> {
  const kept = await op.tx
    .selectFrom('code_batch')
    .select('checksum')
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  if (kept.checksum !== checksum) {
    const refusal = refuse('checksum-wrong')
    throw onField('checksum', refusal)
  }
  await wipe(op, row.id)
  return { confirmedAt: op.now.toISOString() }
}

/** What was not redeemed never will be. */
async function close(op: Operation, row: CodeBatch): Promise<void> {
  await wipe(op, row.id)
  await askForVoiding(op, row.id)
}

const wipe = ({ tx }: Operation, batchId: string) =>
  tx.deleteFrom('sealed_codes').where('batch_id', '=', batchId).execute()

export const invariants: readonly Invariant[] = [
  ...numbersKept('B', { table: 'code_batch', no: 'batch_no', givenAt: 'created_at' }),
  ...agreed,
  ...passedOn,
  {
    name: 'a batch of codes counts its codes, those redeemed and those void',
    query: `
      select b.id from code_batch b left join (
        select batch_id, count(*) as made, count(*) filter (where status = 'REDEEMED') as used, count(*) filter (where status = 'VOID') as voided
        from redemption_code group by batch_id
      ) c on c.batch_id = b.id
      where (b.made, b.used, b.voided) is distinct from (coalesce(c.made, 0), coalesce(c.used, 0), coalesce(c.voided, 0))`,
  },
  {
    name: 'no code stays readable once its file has arrived or its batch is closed',
    query: `
      select b.id from sealed_codes s join code_batch b on b.id = s.batch_id
      where b.confirmed_at is not null or b.status = 'CLOSED'`,
  },
  {
    name: 'a batch has codes only after somebody else approved it',
    query: `select id from code_batch where made > 0 and (l1_by is null or l1_by = applicant_id)`,
  },
]
