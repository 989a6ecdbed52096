import { Space } from 'antd'
import { lazy } from 'react'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { ColourTag } from '#kit/page/tone.tsx'
import { type DictionaryType, resource } from './model.ts'

// The colour picker weighs as much as the rest of the page: it comes with the form.
const ItemsInput = lazy(async () => ({ default: (await import('./items.page.tsx')).ItemsInput }))

export function Page() {
  return (
    <ListPage
      resource={resource}
      inputs={{ items: () => <ItemsInput /> }}
      shows={{ items: (row: DictionaryType) => <ItemTags type={row} /> }}
    />
  )
}

function ItemTags({ type: { code, items } }: { type: DictionaryType }) {
  const words = new Map(useDictionary(code).map(({ v, k }) => [v, k]))
  return (
    <Space size={[8, 4]} wrap>
      {items.map(({ label, value, colour, enabled }) => {
        const said = `${words.get(value) ?? label} · ${value}`
        return (
          <ColourTag key={value} colour={colour}>
            {enabled ? said : <del>{said}</del>}
          </ColourTag>
        )
      })}
    </Space>
  )
}
