import { Suspense } from 'react'
import { roomy } from '#kit/page/form/inputs.ts'
import { later, laterWithTexts } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { Source, Users, untilPublished } from '../rule-source.page.tsx'
import { type RuleChain, resource, workflow } from './model.ts'

const ChainInput = laterWithTexts('engines/rule', async () => (await import('./chain-input.page.tsx')).ChainInput)
const ChainView = laterWithTexts('engines/rule', async () => (await import('./chain-view.page.tsx')).ChainView)
const EventInput = later(async () => (await import('./event-input.page.tsx')).EventInput)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ event: () => <EventInput />, source: roomy(() => <ChainInput />) }}
      shows={{
        source: (chain: RuleChain) => (
          <Suspense fallback={<Source text={chain.source} />}>
            <ChainView chain={chain} />
          </Suspense>
        ),
        enabled: untilPublished,
        edition: untilPublished,
        usedBy: (chain: RuleChain) => <Users names={chain.usedBy} />,
      }}
    />
  )
}
