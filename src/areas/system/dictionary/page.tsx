import { ListPage } from '#kit/page/list/list-page.tsx'
import { ItemsInput, ItemTags } from './items.page.tsx'
import { type DictionaryType, resource } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      inputs={{ items: () => <ItemsInput /> }}
      shows={{ items: (row: DictionaryType) => <ItemTags items={row.items} /> }}
    />
  )
}
