import { wide } from '#kit/page/form/inputs.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { isUnderWay, type RefundApplication, resource, workflow } from './model.ts'

const AmountInput = later(async () => (await import('./amount.page.tsx')).AmountInput)
const ReferencePicker = later(async () => (await import('#kit/page/field/reference-picker.tsx')).ReferencePicker)
const RouteInput = later(async () => (await import('./route.page.tsx')).RouteInput)
const UnsentInput = later(async () => (await import('./unsent.page.tsx')).UnsentInput)
const Calculation = later(async () => (await import('./calculation.page.tsx')).Calculation)
const Taken = later(async () => (await import('./calculation.page.tsx')).Taken)
const Checklist = later(async () => (await import('./checklist.page.tsx')).Checklist)
const RuleRuns = later(async () => (await import('./rule-runs.page.tsx')).RuleRuns)
const WhyFinance = later(async () => (await import('./second-approval.page.tsx')).WhyFinance)
const AppliedTerms = later(async () => (await import('./second-approval.page.tsx')).AppliedTerms)

/** Asked for only where money is transferred by hand, and then needed. */
const PAYEE: ReadonlySet<string> = new Set(['payee', 'payeeName', 'payeeAccount'])

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{
        orderId: wide(() => <ReferencePicker to="order" />),
        amountFen: wide(() => <AmountInput />),
        route: () => <RouteInput />,
        unsent: () => <UnsentInput />,
      }}
      isShown={(field, { route }) => !PAYEE.has(field) || (route === 'OFFLINE' && 'required')}
      isUnderWay={isUnderWay}
      shows={{
        l2Reasons: (row: RefundApplication) => <WhyFinance reasons={row.l2Reasons} />,
        calculation: (row: RefundApplication) => (
          <Calculation lines={row.calculation} windowDays={row.terms?.windowDays} />
        ),
        terms: (row: RefundApplication) => row.terms && <AppliedTerms terms={row.terms} />,
        effects: (row: RefundApplication) => <Checklist effects={row.effects} />,
        ruleRuns: (row: RefundApplication) => <RuleRuns runs={row.ruleRuns} />,
      }}
      tells={{
        l2Reasons: (row: RefundApplication) => <WhyFinance reasons={row.l2Reasons} />,
        calculation: (row: RefundApplication) => <Taken lines={row.calculation} />,
      }}
    />
  )
}
