import { ListPage } from '#kit/page/list/list-page.tsx'
import { Desk } from './desk.page.tsx'
import { resource, workflow } from './model.ts'

export function Page() {
  return (
    <>
      <Desk />
      <ListPage resource={resource} workflow={workflow} />
    </>
  )
}
