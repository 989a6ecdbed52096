import { ListPage } from '#kit/page/list/list-page.tsx'
import { resource, workflow } from './model.ts'

export const Page = () => <ListPage resource={resource} workflow={workflow} />
