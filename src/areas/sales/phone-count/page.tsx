import { area as members } from '#areas/members/area.ts'
import { useTexts } from '#kit/page/language.ts'
import { recordPath } from '#kit/page/screens.ts'
import { CountedPage, laterCounted } from '#kit/page/statistic/counted-page.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { resource, statistic } from './model.ts'

const counted = laterCounted(async () => statistic)

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <CountedPage
      counted={counted}
      resource={resource}
      links={({ leadId, batchId }) => [
        { text: say('open-lead'), path: recordPath(area.screens.salvage.route, leadId) },
        { text: say('open-list'), path: recordPath(members.screens['number-import'].route, batchId) },
      ]}
    />
  )
}
