import { useQueries, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type CSSProperties, Suspense } from 'react'
import type { ToDo as Known } from '#kit/model/to-do.ts'
import { paceOf } from '#kit/model/waiting.ts'
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
import { evenly } from './model.ts'
import { NAME, Part } from './part.page.tsx'
import { useWorkbench } from './use-workbench.page.tsx'

/** Refund notices are the work of whoever redeems the platform's codes (docs/decisions/003-refund-notices.md). */
const NOTICE_PAGE = 'dy-code'

/** Something of one kind that waits; without a count while it is being asked for. */
type Waiting = Partial<Pick<Known, 'isMore' | 'oldestAt' | 'dueAt' | 'hours'>> & {
  readonly key: string
  readonly title: string
  readonly count: number | undefined
  onOpen(): void
}

/** How many refund notices wait; the bell of the header counts the same. */
export const useNoticeCount = (enabled: boolean) =>
  useQuery({
    queryKey: [REFUND_NOTICES, 'count'],
    queryFn: ({ signal }) => get<{ total: number }>('/message/web/count', { signal }),
    enabled,
  }).data?.total

/** All that can wait for this person: what is overdue first, then what there is most of. Nothing while it is not known. */
export function useWaiting(): readonly Waiting[] | undefined {
  const say = useTexts<typeof locale>(NAME)
  const tab = useTab()
  const { data } = useWorkbench()
  const answers = useUser(user => mayDo(user, NOTICE_PAGE, 'list'))
  const notices = useNoticeCount(answers)
  const lists = useLists(data?.toDos ?? [])
  if (!data) return undefined
  const ofLists = lists.map(({ screen, step, path, ...known }): Waiting => {
    return { ...known, key: `${screen} ${step}`, onOpen: () => tab.open(path) }
  })
  const ofNotices = { key: NOTICE_PAGE, title: say('todo.notices'), count: notices, onOpen: openNotices }
  return (answers ? [...ofLists, ofNotices] : ofLists).toSorted(
    (one, other) => isOverdue(other) - isOverdue(one) || (other.count ?? 0) - (one.count ?? 0),
  )
}

export const openNotices = () => showOverlay('messages')

const isOverdue = ({ count, oldestAt = null, dueAt = null, hours }: Waiting): number =>
  count && paceOf({ since: oldestAt, dueAt, hours }, new Date()) === 'overdue' ? 1 : 0

/** Each list under its own name: a push or a step that refreshes the list refreshes these. */
function useLists(known: readonly Known[]): readonly Known[] {
  const language = useLanguage()
  const lists = useQueries({
    queries: [...Map.groupBy(known, ({ screen }) => screen)].map(([screen, initialData]) => ({
      queryKey: [screen, 'to-do', language],
      queryFn: ({ signal }: { signal: AbortSignal }) => get<Known[]>(`/${screen}/to-do`, { signal }),
      initialData,
    })),
  })
  return lists.flatMap(({ data }) => data)
}

/** What waits for this person: a card leads to exactly the rows it counts; of what nothing waits the names are enough. */
export function ToDo({ waiting }: { waiting: readonly Waiting[] }) {
  const say = useTexts<typeof locale>(NAME)
  const cards = waiting.filter(({ count }) => count !== 0)
  const none = waiting.filter(({ count }) => count === 0)
  return (
    <Part title={say('todo')}>
      <div className="bench-cards" style={{ '--columns': evenly(cards.length) } as CSSProperties}>
        {cards.map(({ key, ...card }) => (
          <Card key={key} {...card} />
        ))}
      </div>
      {none.length > 0 && (
        <p className="bench-none">
          {say('todo-none')}
          {none.map(({ key, title, onOpen }) => (
            <Button key={key} type="link" size="small" onClick={onOpen}>
              {title}
            </Button>
          ))}
        </p>
      )}
    </Part>
  )
}

function Card({ title, count, isMore = false, oldestAt = null, dueAt = null, hours, onOpen }: Omit<Waiting, 'key'>) {
  const say = useTexts<typeof locale>(NAME)
  const shown = count === undefined ? MISSING : formatCount(count)
  return (
    <button type="button" className="bench-card bench-waiting" onClick={onOpen}>
      <span>{title}</span>
      <span>
        <strong className={count ? 'bench-urgent' : ''}>{isMore ? say('todo-more', { count: shown }) : shown}</strong>
        {oldestAt !== null && (
          <span className="bench-quiet">
            {say('todo-oldest')}{' '}
            <Suspense>
              <Age since={oldestAt} dueAt={dueAt} hours={hours} />
            </Suspense>
          </span>
        )}
      </span>
    </button>
  )
}
