import { Passed } from '#engines/allocation/passed.page.tsx'
import { childTab } from '#kit/page/detail/child-list.tsx'
import { child, type Decided } from './decisions/model.ts'

export const tab = childTab(child, {
  order: 5,
  looks: () => ({ shows: { passed: ({ passed }: Decided) => <Passed passed={passed} /> } }),
})
