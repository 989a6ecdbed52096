import { followOwner, followTeacher, seenByOwner, seenByTeacher } from '#areas/members/member/handing-over.server.ts'
import { belongs, staffHandedOver } from '#areas/organisation/staff/belongings.server.ts'
import { rewardedAsSaid } from '#engines/entitlement/reward.server.ts'
import { numbersKept } from '#engines/sequence/server.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { jobs as commentJobs } from './commenting.server.ts'
import { endedWith } from './ending.server.ts'
import { events as handingIn } from './handing-in.server.ts'
import { jobs as leaseJobs } from './leasing.server.ts'
import { resource, workflow } from './model.ts'
import { secondLookRoutes } from './second-look.server.ts'
import { serveWorks } from './serving.server.ts'
import { invariants as shownInvariants, listeners as shownListeners } from './showing.server.ts'
import { tellDelivery } from './telling.server.ts'
import { triage } from './triage.server.ts'

/** What was handed to somebody, and nobody else is given. */
const WAITS_FOR = "assignee_id = staff and status = 'SUBMITTED'"

export const routes: Routes = app => [...secondLookRoutes(app), ...serveWorks(app, 'PICTURE', { resource, workflow })]
export const events = handingIn
export const jobs = [...leaseJobs, ...commentJobs]
export const deliveries = [tellDelivery]
export const listeners = [
  triage,
  ...shownListeners,
  endedWith,
  followOwner('work'),
  followTeacher('work'),
  forgets(
    {
      table: 'work',
      becomes: { picture: "'{}'", video: "'{}'", returned_for: "case when returned_for is not null then '-' end" },
    },
    {
      table: 'work_comment',
      where: 't.work_id in (select id from work where member_id = $1)',
      becomes: { marks: "'[]'", words: "''", voice: "'{}'", phrases: "'{}'" },
    },
    {
      table: 'work_suggestion',
      where: 't.work_id in (select id from work where member_id = $1)',
      becomes: { pages: "'[]'" },
    },
  ),
  belongs({ what: `${resource.screen.name}:handed`, table: 'work', where: WAITS_FOR.replace('staff', '$1') }),
  // Handed to one person for a reason: whoever takes over that person's pupils gets theirs anyway.
  listen(staffHandedOver, async ({ tx }, { fromId }) => {
    await run(
      tx,
      `update work set assignee_id = null, version = version + 1 where ${WAITS_FOR.replace('staff', '$1')}`,
      [fromId],
    )
  }),
]

export const invariants: readonly Invariant[] = [
  seenByOwner('work'),
  seenByTeacher('work'),
  ...shownInvariants,
  ...numbersKept('W', { table: 'work', no: 'no' }),
  {
    name: 'a judged work has one comment that counts, of the same score and person',
    query: `
      select w.id, w.status, w.score, c.score as said from work w
      left join work_comment c on c.work_id = w.id and c.status in ('HELD', 'RELEASED')
      where (w.status in ('COMMENTED', 'RELEASED'))
        and ((w.score, w.commenter_id) is distinct from (c.score, c.staff_id)
          or c.status <> case w.status when 'COMMENTED' then 'HELD' else 'RELEASED' end)`,
  },
  rewardedAsSaid('work', { table: 'work', coins: 'reward_coins' }),
  {
    name: 'no work waits for somebody who has left',
    query: `
      select w.id, w.assignee_id from work w join staff s on s.id = w.assignee_id
      where s.employment = 'LEFT' and w.status = 'SUBMITTED'`,
  },
  {
    name: 'an attempt follows one of the same pupil, medium, kind and lesson',
    query: `
      select w.id, b.id as before from work w join work b on b.id = w.before_id
      where (w.member_id, w.medium, w.kind, w.lesson) <> (b.member_id, b.medium, b.kind, b.lesson) or w.attempt <= b.attempt`,
  },
]
