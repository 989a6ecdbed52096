import { lazy } from 'react'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { ColourTag } from '#kit/page/tone.tsx'
import { type DictionaryItem, type DictionaryType, resource } from './model.ts'

// The colour picker weighs as much as the rest of the page: it comes with the form.
const ItemsInput = lazy(async () => ({ default: (await import('./items.page.tsx')).ItemsInput }))

export function Page() {
  return (
    <ListPage
      resource={resource}
      inputs={{ items: () => <ItemsInput /> }}
      shows={{ items: (row: DictionaryType) => <ItemTags items={row.items} /> }}
    />
  )
}

const ItemTags = ({ items }: { items: readonly DictionaryItem[] }) =>
  items.map(({ label, value, colour, enabled }) => (
    <ColourTag key={value} colour={colour}>
      {enabled ? `${label} · ${value}` : <del>{`${label} · ${value}`}</del>}
    </ColourTag>
  ))
