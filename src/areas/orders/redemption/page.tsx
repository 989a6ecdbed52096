import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { Desk } from './desk.page.tsx'
import type { locale } from './locale.ts'
import { resource, workflow } from './model.ts'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <>
      <Desk />
      <ListPage
        resource={resource}
        workflow={workflow}
        links={row => [
          { text: `${say('field.orderId')} ${row.labels.orderId?.name}`, path: `/order/list?open=${row.orderId}` },
        ]}
      />
    </>
  )
}
