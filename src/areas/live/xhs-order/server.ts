import { commonRules } from '#areas/live/platform-order/acting.server.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { doors as ownDoors } from './door.server.ts'
import { resource, workflow } from './model.ts'

export const routes: Routes = app => serve(resource, { workflow, ...commonRules(app) })(app)

export const doors = ownDoors
