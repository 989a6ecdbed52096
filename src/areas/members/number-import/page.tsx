import { ImportButton } from '#kit/page/import/import-button.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { isSaidShown, listSaid, resource } from './model.ts'

export function Page() {
  return (
    <ListPage resource={resource} tools={<ImportButton resource={resource} asks={listSaid} isShown={isSaidShown} />} />
  )
}
