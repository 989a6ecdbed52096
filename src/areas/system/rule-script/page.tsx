import { roomy } from '#kit/page/form/inputs.ts'
import { laterWithTexts } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { Source, Users, untilPublished } from '../rule-source.page.tsx'
import { type RuleScript, resource, workflow } from './model.ts'

const SourceInput = laterWithTexts('engines/rule', async () => (await import('./source-input.page.tsx')).SourceInput)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ source: roomy(() => <SourceInput />) }}
      shows={{
        source: (script: RuleScript) => <Source text={script.source} />,
        edition: untilPublished,
        usedBy: (script: RuleScript) => <Users names={script.usedBy} />,
      }}
    />
  )
}
