import { commonEffects, commonRules } from '#areas/live/platform-order/acting.server.ts'
import { askToCancel, askToVerify } from '#areas/live/platform-order/asking.server.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { resource, workflow } from './model.ts'

export const routes: Routes = app =>
  serve(resource, {
    workflow,
    ...commonRules(app),
    effects: { ...commonEffects, verify: askToVerify, cancelVerify: askToCancel },
  })(app)
