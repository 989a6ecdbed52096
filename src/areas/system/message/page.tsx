import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { type Message, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      isUnderWay={({ status }) => status === 'SENDING'}
      shows={{
        why: (row: Message) => <strong>{row.why}</strong>,
        body: (row: Message) => <Body of={row} />,
      }}
    />
  )
}

/** As it was sent; of a code nothing is there to be shown. */
function Body({ of: { kind, body } }: { of: Pick<Message, 'kind' | 'body'> }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (kind === 'CODE') return <span>{say('code-not-kept')}</span>
  return <p style={{ whiteSpace: 'pre-wrap', margin: 0, overflowWrap: 'anywhere' }}>{body}</p>
}
