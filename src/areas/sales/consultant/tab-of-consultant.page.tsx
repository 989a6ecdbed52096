import { childTab } from '#kit/page/detail/child-list.tsx'
import { child, type Decided } from './decisions/model.ts'
import { Passed } from './decisions.page.tsx'

export const tab = childTab(child, {
  order: 5,
  looks: () => ({ shows: { passed: ({ passed }: Decided) => <Passed passed={passed} /> } }),
})
