import { WorkList } from './list.page.tsx'
import { resource, workflow } from './model.ts'

export const Page = () => <WorkList resource={resource} workflow={workflow} />
