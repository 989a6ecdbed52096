import { isAsked } from '#kit/model/request.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { requests, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      isShown={(field, entered) => isAsked(requests, field, entered) && 'required'}
    />
  )
}
