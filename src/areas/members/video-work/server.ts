import { serveWorks } from '#areas/members/work/serving.server.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { resource, workflow } from './model.ts'

export const routes: Routes = app => serveWorks(app, 'VIDEO', { resource, workflow })
