import { RequestPage } from '#kit/page/list/request-page.tsx'
import { requests, resource, workflow } from './model.ts'

export function Page() {
  return <RequestPage resource={resource} workflow={workflow} requests={requests} />
}
