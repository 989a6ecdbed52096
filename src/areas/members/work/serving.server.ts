import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { endComment } from './commenting.server.ts'
import { deskRoutes } from './desk.server.ts'
import { requireOpenAccount } from './ending.server.ts'
import type { Medium, Work } from './fields.model.ts'
import { takeOne } from './leasing.server.ts'
import type { resource, workflow } from './model.ts'
import { markShown, shownFacts, unhidden } from './showing.server.ts'
import { tellApp } from './telling.server.ts'

/** Somebody else says it anew; what the pupil has earned stays. */
async function overturn(op: Operation, work: Work): Promise<Partial<Work>> {
  await requireOpenAccount(op, work)
  await endComment(op, work.id, 'OVERTURNED')
  return { review: 'OVERTURNED', isExcellent: false, assigneeId: null }
}

/** The pupil sees what is shown again, and no longer what is hidden; what waits is told once there is a comment. */
async function tellHiding(op: Operation, { id, status }: Work, step: string): Promise<void> {
  if (step !== 'hide' && step !== 'showAgain') return
  if (status === 'HIDDEN' || status === 'RELEASED' || status === 'RETURNED') await tellApp(op, id, status)
}

/** The list, the steps and the desk of one medium. */
export const serveWorks = (
  app: App,
  medium: Medium,
  screen: { readonly resource: typeof resource; readonly workflow: typeof workflow },
): Route[] => [
  ...deskRoutes(app, medium),
  ...serve(screen.resource, {
    workflow: screen.workflow,
    facts: shownFacts,
    effects: {
      take: takeOne,
      handOver: async (_, __, { toId }) => ({ assigneeId: toId, holderId: null, leasedUntil: null }),
      passReview: async () => ({ review: 'PASSED' as const }),
      overturn,
      askReview: async () => ({ review: 'DUE' as const }),
      markExcellent: markShown,
      unmarkExcellent: async () => ({ isExcellent: false }),
      // What is hidden is shown nowhere.
      async hide(op, work) {
        await requireOpenAccount(op, work)
        return { isExcellent: false }
      },
      // Whoever it was handed to before may no longer be there.
      async showAgain(op, work) {
        await requireOpenAccount(op, work)
        return { assigneeId: null }
      },
    },
    undo: {
      async hide(op, work, { isExcellent }) {
        await requireOpenAccount(op, work)
        return unhidden(op, work, isExcellent)
      },
      unmarkExcellent: markShown,
    },
    after: tellHiding,
  })(app),
]
