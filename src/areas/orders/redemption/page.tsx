import { GrantList } from '#engines/entitlement/grants.page.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { recordOf } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import { Desk } from './desk.page.tsx'
import { type Redemption, resource, workflow } from './model.ts'

export function Page() {
  return (
    <>
      {recordOf(useTab().path) === undefined && <Desk />}
      <ListPage
        resource={resource}
        workflow={workflow}
        shows={{ grants: (row: Redemption) => <GrantList grants={row.grants} /> }}
      />
    </>
  )
}
