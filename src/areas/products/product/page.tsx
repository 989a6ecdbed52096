import { lazy } from 'react'
import { GrantList } from '#engines/entitlement/grants.page.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { type Product, resource, workflow } from './model.ts'

const GrantsInput = lazy(async () => ({
  default: (await import('#engines/entitlement/grants-input.page.tsx')).GrantsInput,
}))

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ grants: () => <GrantsInput /> }}
      shows={{ grants: (product: Product) => <GrantList grants={product.grants} /> }}
    />
  )
}
