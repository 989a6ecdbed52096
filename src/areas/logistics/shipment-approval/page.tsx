import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { PartList } from '../parts.page.tsx'
import { Warned } from '../warned.page.tsx'
import type { locale } from './locale.ts'
import { type Application, resource, workflow } from './model.ts'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        parts: (row: Application) => <PartList parts={row.parts} />,
        isRepeat: (row: Application) => <Warned is={row.isRepeat} text={say('field.isRepeat')} />,
        waitsForStock: (row: Application) => <Warned is={row.waitsForStock} text={say('field.waitsForStock')} />,
      }}
    />
  )
}
