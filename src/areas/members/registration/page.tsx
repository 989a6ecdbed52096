import { ListPage } from '#kit/page/list/list-page.tsx'
import { resource, workflow } from './model.ts'

export function Page() {
  return <ListPage resource={resource} workflow={workflow} />
}
