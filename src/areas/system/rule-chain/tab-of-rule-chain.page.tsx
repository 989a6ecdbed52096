import { childTab } from '#kit/page/detail/child-list.tsx'
import { useTexts } from '#kit/page/language.ts'
import { Outcome } from './outcome.page.tsx'
import type { locale } from './runs/locale.ts'
import { type ChainRun, child } from './runs/model.ts'

/** What the chain decided about each record, and where it could not. */
export const tab = childTab(child, {
  order: 1,
  looks: () => ({
    shows: {
      edition: ({ edition }: ChainRun) => <Edition edition={edition} />,
      outcome: ({ outcome }: ChainRun) => <Outcome outcome={outcome} />,
    },
  }),
})

function Edition({ edition }: { edition: number }) {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  return edition === 0 ? say('shipped') : edition
}
