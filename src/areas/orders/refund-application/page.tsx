import { wide } from '#kit/page/form/fields.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { AmountInput } from './amount.page.tsx'
import { Calculation, Taken } from './calculation.page.tsx'
import { Checklist } from './checklist.page.tsx'
import { isUnderWay, type RefundApplication, resource, workflow } from './model.ts'
import { AppliedTerms, WhyFinance } from './second-approval.page.tsx'
import { UnsentInput } from './unsent.page.tsx'

/** Asked for only where money is transferred by hand, and then needed. */
const PAYEE: ReadonlySet<string> = new Set(['payee', 'payeeName', 'payeeAccount'])

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ amountFen: wide(() => <AmountInput />), unsent: () => <UnsentInput /> }}
      isShown={(field, { route }) => !PAYEE.has(field) || (route === 'OFFLINE' && 'required')}
      isUnderWay={isUnderWay}
      shows={{
        l2Reasons: (row: RefundApplication) => <WhyFinance reasons={row.l2Reasons} />,
        calculation: (row: RefundApplication) => <Calculation lines={row.calculation} />,
        terms: (row: RefundApplication) => row.terms && <AppliedTerms terms={row.terms} />,
        effects: (row: RefundApplication) => <Checklist effects={row.effects} />,
      }}
      tells={{ calculation: (row: RefundApplication) => <Taken lines={row.calculation} /> }}
    />
  )
}
