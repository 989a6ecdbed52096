import { later } from '#kit/page/later.tsx'
import { RequestPage } from '#kit/page/list/request-page.tsx'
import { requests, resource, workflow } from './model.ts'

const PriceInput = later(async () => (await import('./price-input.page.tsx')).PriceInput)

export function Page() {
  return (
    <RequestPage
      resource={resource}
      workflow={workflow}
      requests={requests}
      inputs={{ priceFen: () => <PriceInput /> }}
    />
  )
}
