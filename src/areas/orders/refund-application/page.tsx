import { ListPage } from '#kit/page/list/list-page.tsx'
import { AmountInput } from './amount.page.tsx'
import { Calculation } from './calculation.page.tsx'
import { Checklist } from './checklist.page.tsx'
import { type RefundApplication, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ amountFen: () => <AmountInput /> }}
      shows={{
        calculation: (row: RefundApplication) => <Calculation lines={row.calculation} />,
        effects: (row: RefundApplication) => <Checklist effects={row.effects} />,
      }}
      links={row => [{ text: row.labels.orderId?.name ?? '', path: `/order/list?open=${row.orderId}` }]}
    />
  )
}
