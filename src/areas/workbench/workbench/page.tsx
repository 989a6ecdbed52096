import './workbench.css'
import { formatInstant, greetingAt } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import { useUser } from '#kit/page/user.ts'
import { Care } from './care.page.tsx'
import { type Box, Columns } from './columns.page.tsx'
import { Decisions } from './decisions.page.tsx'
import { OrderFigures, useShowsOrders } from './figures.page.tsx'
import type { locale } from './locale.ts'
import { LowStock } from './low-stock.page.tsx'
import { Measures } from './measures.page.tsx'
import { LatestNotices } from './notices.page.tsx'
import { AwaitedCards, NAME } from './part.page.tsx'
import { Shortcuts } from './shortcuts.page.tsx'
import { ToDo, useWaiting } from './to-do.page.tsx'
import { useWorkbench } from './use-workbench.page.tsx'

/** As many things as fill a column's width wait beside the other boxes; more take the whole width, several in a line. */
const BESIDE = 3

export function Page() {
  const say = useTexts<typeof locale>(NAME)
  const name = useUser(user => user.info?.name ?? '')
  const { data, isPending } = useWorkbench()
  const waiting = useWaiting()
  const now = new Date()
  const count = waiting?.filter(known => known.count !== 0).length ?? 0
  const toDo = waiting && waiting.length > 0 && <ToDo waiting={waiting} />
  const isWide = count > BESIDE
  const orders = useShowsOrders() && { name: 'orders', shown: <OrderFigures /> }
  const boxes: readonly (Box | false)[] = isPending
    ? // What has no height yet has no place: whatever stood beside it would be moved when it comes.
      [{ name: 'measures', shown: <AwaitedCards title={say('measures')} columns={2} /> }, orders]
    : [
        !isWide && toDo !== undefined && toDo !== false && { name: 'to-do', shown: toDo },
        data !== undefined &&
          data.measures.length > 0 && { name: 'measures', shown: <Measures measures={data.measures} /> },
        ...(data?.care ?? []).map(care => ({ name: care.kind, shown: <Care care={care} /> })),
        orders,
        data?.decisions != null && { name: 'decisions', shown: <Decisions known={data.decisions} /> },
        data?.lowStock != null && { name: 'low-stock', shown: <LowStock low={data.lowStock} /> },
        { name: 'shortcuts', shown: <Shortcuts /> },
        { name: 'notices', shown: <LatestNotices /> },
      ]
  return (
    <div className="bench">
      <header className="bench-head">
        <p>{say(`greeting.${greetingAt(now)}`, { name })}</p>
        <time>{formatInstant(now).slice(0, 10)}</time>
        {waiting && count === 0 && <p className="bench-idle">{say('todo-empty')}</p>}
      </header>
      {isPending && <AwaitedCards title={say('todo')} columns={4} />}
      {isWide && toDo}
      <Columns boxes={boxes.filter(box => box !== false)} />
    </div>
  )
}
