import * as z from 'zod'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { settingTakenOver } from '#kit/server/setting/take-over.ts'
import { confirm, enter, requireStillBased, writeTakenOver } from './changing.server.ts'
import { resource, shownGroup, workflow } from './model.ts'
import { changeInWords, shownGroups } from './showing.server.ts'

const changes = serve(resource, {
  workflow,
  store: (op, input, _before, write) => enter(op, input, write),
  named: changeInWords,
  effects: {
    confirm,
    refuse: async op => ({ decidedBy: op.actor.id }),
  },
  undo: { refuse: requireStillBased, withdraw: requireStillBased },
  constraints: {
    setting_change_in_force: { code: 'changed-meanwhile' },
    setting_change_proposed: { code: 'proposal-open', field: 'value' },
  },
})

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${resource.screen.name}/settings`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'list' },
    answer: z.array(shownGroup),
    summary: 'All business settings by group: what is in force, since when and by whom, and what is proposed.',
    handle: ({ actor, language }) => shownGroups(app, actor, language),
  }),
  ...changes(app),
]

export const listeners = [listen(settingTakenOver, writeTakenOver)]

export const invariants: readonly Invariant[] = [
  {
    name: 'a setting in force is what its last change set',
    query: `
      select coalesce(s.key, c.key) as key, s.value, c.value as changed from business_setting s
      full join (select key, value from setting_change where status = 'IN_FORCE') c on c.key = s.key
      where s.value is distinct from c.value`,
  },
  {
    name: 'each change of a setting began with what the one before it had set',
    query: `
      select c.id, c.key from setting_change c join setting_change b on b.id = c.based_on
      where c.in_force_at is not null and (b.key <> c.key or b.value <> c.before or b.status <> 'REPLACED')`,
  },
]
