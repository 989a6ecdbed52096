import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { AmountInput } from './amount.page.tsx'
import { Calculation } from './calculation.page.tsx'
import { Checklist } from './checklist.page.tsx'
import type { locale } from './locale.ts'
import { isUnderWay, type RefundApplication, resource, workflow } from './model.ts'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ amountFen: () => <AmountInput /> }}
      isUnderWay={isUnderWay}
      shows={{
        calculation: (row: RefundApplication) => <Calculation lines={row.calculation} />,
        effects: (row: RefundApplication) => <Checklist effects={row.effects} />,
      }}
      links={row => [
        { text: `${say('field.orderId')} ${row.labels.orderId?.name}`, path: `/order/list?open=${row.orderId}` },
      ]}
    />
  )
}
