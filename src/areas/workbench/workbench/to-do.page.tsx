import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, Suspense } from 'react'
import type { ToDo as Waiting } from '#kit/model/to-do.ts'
import { get } from '#kit/page/call.ts'
import { MISSING } from '#kit/page/field/show.tsx'
import { Age } from '#kit/page/field/waits.ts'
import { formatCount } from '#kit/page/figures.ts'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import { REFUND_NOTICES } from '#kit/page/shell/live/push-notice.ts'
import { showOverlay } from '#kit/page/shell/overlay.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { NAME, Part } from './part.page.tsx'
import { useWorkbench } from './use-workbench.page.tsx'

/** Refund notices are the work of whoever redeems the platform's codes (docs/decisions/003-refund-notices.md). */
const NOTICE_PAGE = 'dy-code'

/** How many kinds of things can wait for this person: without one, an empty pane would say so over half the page. */
export function useWaiting(): number | undefined {
  const { data } = useWorkbench()
  const answers = useUser(user => mayDo(user, NOTICE_PAGE, 'list'))
  return data && data.toDos.length + (answers ? 1 : 0)
}

/** What waits for this person: a card leads to exactly the rows it counts. */
export function ToDo({ columns }: { columns: number }) {
  const say = useTexts<typeof locale>(NAME)
  const { data } = useWorkbench()
  const answers = useUser(user => mayDo(user, NOTICE_PAGE, 'list'))
  const notices = useQuery({
    queryKey: [REFUND_NOTICES, 'count'],
    queryFn: ({ signal }) => get<{ total: number }>('/message/web/count', { signal }),
    enabled: answers,
  })
  const screens = Map.groupBy(data?.toDos ?? [], ({ screen }) => screen)
  return (
    <Part title={say('todo')}>
      <div className="bench-cards" style={{ '--columns': columns } as CSSProperties}>
        {[...screens].map(([screen, waiting]) => (
          <WaitingCards key={screen} screen={screen} known={waiting} />
        ))}
        {answers && (
          <Card title={say('todo.notices')} count={notices.data?.total} onOpen={() => showOverlay('messages')} />
        )}
      </div>
    </Part>
  )
}

/** Of one list, under its own name: a push or a step that refreshes the list refreshes these. */
function WaitingCards({ screen, known }: { screen: string; known: readonly Waiting[] }) {
  const tab = useTab()
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: [screen, 'to-do', language],
    queryFn: ({ signal }) => get<readonly Waiting[]>(`/${screen}/to-do`, { signal }),
    initialData: known,
  })
  return data.map(({ step, path, ...waiting }) => <Card key={step} {...waiting} onOpen={() => tab.open(path)} />)
}

type CardProps = {
  title: string
  count: number | undefined
  isMore?: boolean
  oldestAt?: string | null
  dueAt?: string | null
  hours?: Waiting['hours']
  onOpen(): void
}

function Card({ title, count, isMore = false, oldestAt = null, dueAt = null, hours, onOpen }: CardProps) {
  const say = useTexts<typeof locale>(NAME)
  const shown = count === undefined ? MISSING : formatCount(count)
  return (
    <button type="button" className="bench-card" onClick={onOpen}>
      <span>{title}</span>
      <strong className={count ? 'bench-urgent' : ''}>{isMore ? say('todo-more', { count: shown }) : shown}</strong>
      {oldestAt !== null && (
        <span className="bench-quiet">
          {say('todo-oldest')}{' '}
          <Suspense>
            <Age since={oldestAt} dueAt={dueAt} hours={hours} />
          </Suspense>
        </span>
      )}
    </button>
  )
}
