import { WorkList } from '#areas/members/work-desk/list.page.tsx'
import { resource, workflow } from './model.ts'

export const Page = () => <WorkList resource={resource} workflow={workflow} />
