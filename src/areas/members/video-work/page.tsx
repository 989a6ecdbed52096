import { clockOf } from '#areas/members/work/desk-state.model.ts'
import { WorkList } from '#areas/members/work-desk/list.page.tsx'
import { Figure } from '#kit/page/field/figure.tsx'
import { MISSING } from '#kit/page/field/show.tsx'
import { resource, workflow } from './model.ts'

export const Page = () => (
  <WorkList
    resource={resource}
    workflow={workflow}
    shows={{
      durationSeconds: ({ durationSeconds }) =>
        durationSeconds === null ? MISSING : <Figure>{clockOf(durationSeconds).replace(/\.\d$/, '')}</Figure>,
    }}
  />
)
