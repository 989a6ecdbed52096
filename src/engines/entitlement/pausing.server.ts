import { addDays, dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import type { Pause } from './model.ts'
import { keepSums } from './server.ts'

type Asked = { readonly memberId: string; readonly applicationId: string }

/** No day of membership passes on these days: what is left of it lasts so much longer. Whoever calls has locked the member. */
export async function pause(
  change: Change,
  { memberId, applicationId }: Asked,
  { startsOn, endsOn }: Pause,
): Promise<void> {
  await change.tx
    .insertInto('entitlement_pause')
    .values({
      member_id: memberId,
      application_id: applicationId,
      starts_on: startsOn,
      ends_on: endsOn,
      created_at: change.now,
    })
    .execute()
  await keepSums(change, memberId)
}

/** Days pass again from today on. Says until when it was really paused; nothing where it had not begun. */
export async function endPause(change: Change, { memberId, applicationId }: Asked): Promise<string | null> {
  const last = addDays(dayOf(change.now), -1)
  const { numDeletedRows } = await change.tx
    .deleteFrom('entitlement_pause')
    .where('application_id', '=', applicationId)
    .where('starts_on', '>', last)
    .executeTakeFirstOrThrow()
  await change.tx
    .updateTable('entitlement_pause')
    .set({ ends_on: last })
    .where('application_id', '=', applicationId)
    .execute()
  await keepSums(change, memberId)
  return numDeletedRows > 0n ? null : last
}
