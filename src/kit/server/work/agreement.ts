import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource, Shape } from '#kit/model/resource.ts'
import type { Step } from '#kit/model/workflow.ts'
import type { Change } from '../app.ts'
import type { Invariant } from '../change/invariants.ts'
import type { Operation } from '../change/operation.ts'
import { writeChange } from '../change/step.ts'
import { type Row, run } from '../database/database.ts'
import { type DeclaredJob, defineJob } from './job.ts'

const DAY_MS = 86_400_000
/** Ended in one turn of the job; the next one takes the others. */
const MOST_EXPIRED = 500

/** Who asks, and until when others may decide: stored with whatever is asked for (decision 045). */
export const asking = ({ actor, now }: Operation, days: number) => ({
  applicantId: actor.id,
  expiresAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
})

type Timed = { readonly expiresAt: Date | string | null }

/** Its time is over even where the job has not come by yet. */
export function requireTime({ now }: Operation, { expiresAt }: Timed): void {
  if (expiresAt !== null && new Date(expiresAt) <= now) throw new Refused(refuse('kit:request-expired'))
}

const ended = ({ now }: Change) => ({ endedAt: now.toISOString() })

/**
 * One more has agreed; the last of them does what was asked for, and what that refuses leaves it with nobody's yes. What that
 * gives is stored with the yes.
 */
export async function agree<By extends 'l1By' | 'l2By', Stored extends object>(
  op: Operation,
  request: Timed,
  by: By,
  grant: (() => Promise<Stored>) | undefined,
): Promise<Partial<Stored> & Record<By, string> & { endedAt?: string }> {
  requireTime(op, request)
  const agreed = { [by]: op.actor.id } as Record<By, string>
  return grant ? { ...(await grant()), ...agreed, ...ended(op) } : (agreed as Partial<Stored> & Record<By, string>)
}

type Ending = { readonly steps: { readonly reject: Pick<Step<never, string>, 'from'> } }

/** What a no and a change of mind do to a record, the job that ends what nobody decided on, and what is always true of it. */
export function endings<S extends Shape>(resource: Resource<S>, { steps }: Ending) {
  const end = async (op: Operation) => ended(op)
  const reopen = async (op: Operation, row: Row) => requireTime(op, row as Timed)
  return {
    effects: { reject: end, withdraw: end },
    undo: { reject: reopen, withdraw: reopen },
    jobs: [
      expiring(resource.table, steps.reject.from as readonly string[], (change, row) =>
        writeChange(change, resource, row, { status: 'EXPIRED', ...ended(change) }, 'expire'),
      ),
    ],
    invariants: [agreedByEnough(resource.table, 'l2By' in resource.record.shape ? ['l1_by', 'l2_by'] : ['l1_by'])],
  }
}

/** Ends what nobody decided on in time, a row of the table at a time. */
export const expiring = (
  table: string,
  open: readonly string[],
  end: (change: Change, row: Row) => Promise<unknown>,
): DeclaredJob =>
  defineJob({
    name: `expire-${table}`,
    cron: '0 */10 * * * *',
    misfire: 'RUN_ONCE',
    async work(change, { each }) {
      const over = await run(
        change.tx,
        `select * from ${table} where status = any($1::text[]) and expires_at <= $2
       order by id limit ${MOST_EXPIRED} for update skip locked`,
        [open, change.now],
      )
      return each(over, row => end(change, row))
    },
  })

/** The constraints of the table say the same; here it is said of every table others have to agree to, by who is the first and the second. */
export function agreedByEnough(table: string, [first, second]: readonly [string, string?]): Invariant {
  const twice = second
    ? `or ${second} in (applicant_id, ${first}) or (status = 'APPROVED' and needs_l2 and ${second} is null)`
    : ''
  return {
    name: `${table}: as many agreed as had to, none of them the applicant and nobody twice`,
    query: `select id, status from ${table} where (status = 'APPROVED' and ${first} is null) or ${first} = applicant_id ${twice}`,
  }
}
