import { ImportButton } from '#kit/page/import/import-button.tsx'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { PartList, PiecesInput } from '../parts.page.tsx'
import { Warned } from '../warned.page.tsx'
import type { locale } from './locale.ts'
import { resource, type Shipment, workflow } from './model.ts'

/** With the first rows somebody chooses. */
const DeskTools = later(async () => (await import('./desk-tools.page.tsx')).DeskTools)

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      bulk={DeskTools}
      tools={<ImportButton resource={resource} />}
      inputs={{ parts: () => <PiecesInput isEmpty /> }}
      shows={{
        parts: (row: Shipment) => <PartList parts={row.parts} />,
        waitsForStock: (row: Shipment) => row.waitsForStock && <Warned is text={say('field.waitsForStock')} />,
        reprint: (row: Shipment) => row.reprint && <Warned is text={say('field.reprint')} />,
        isRepeat: (row: Shipment) => <Warned is={row.isRepeat} text={say('field.isRepeat')} />,
      }}
    />
  )
}
