import { commonEffects, commonUndo, factsOf, lockForStep } from '#areas/live/platform-order/acting.server.ts'
import { askToCancel, askToVerify } from '#areas/live/platform-order/asking.server.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { resource, workflow } from './model.ts'

export const routes: Routes = app =>
  serve(resource, {
    workflow,
    facts: (db, rows) => factsOf(app, db, rows),
    lock: lockForStep,
    effects: { ...commonEffects, verify: askToVerify, cancelVerify: askToCancel },
    undo: commonUndo,
  })(app)
