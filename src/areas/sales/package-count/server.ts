import { courseFollowed } from '#areas/members/check-in/lessons.server.ts'
import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { memberPaid } from '#areas/members/member/paying.server.ts'
import { ratio } from '#kit/model/statistic.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { noteBought, reckonCourses, invariants as reckoned } from './courses.server.ts'
import { resource, statistic } from './model.ts'

export const counting = defineCounting({
  sources: {
    courses: {
      table: 'course_taken',
      time: 'begun_at',
      sums: {
        begun: 'count(*)',
        half: 'count(*) filter (where t.half_at is not null)',
        finished: 'count(*) filter (where t.finished_at is not null)',
        paid: 'count(*) filter (where t.paid_at is not null)',
        fen: 'sum(t.paid_fen)',
      },
      by: { package: 'package_id', owner: 'owner_then' },
      filters: ['packageId', 'ownerThen'],
    },
  },
  values({ courses }) {
    const [begun, finished, paid] = [courses.begun ?? 0, courses.finished ?? 0, courses.paid ?? 0]
    return {
      begun,
      half: courses.half ?? 0,
      finished,
      finishedRate: ratio(finished, begun),
      paid,
      paidRate: ratio(paid, finished),
      amount: courses.fen ?? 0,
    }
  },
})

export const routes: Routes = app => [...serve(resource)(app), ...serveStatistic(statistic, counting)(app)]

export const listeners: readonly Listener[] = [
  followOwner('course_taken'),
  listen(courseFollowed, ({ tx }, { memberId }) => reckonCourses(tx, [memberId])),
  listen(memberPaid, async ({ tx }, { memberId }) => {
    await noteBought(tx, [memberId])
  }),
]

export const invariants: readonly Invariant[] = [...reckoned, seenByOwner('course_taken')]
