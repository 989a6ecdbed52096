import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type CashBack, type CoinOrder, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      isUnderWay={({ cashBack }) => cashBack === 'UNDER_WAY'}
      shows={{ cashBack: (order: CoinOrder) => <CashBackState state={order.cashBack} /> }}
    />
  )
}

const TONES = { NONE: 'idle', UNDER_WAY: 'busy', DONE: 'done', FAILED: 'failed' } as const

function CashBackState({ state }: { state: CashBack }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return <StateTag tone={TONES[state]}>{say(`cashBack.${state}`)}</StateTag>
}
