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
import { evenly } from './model.ts'
import { LatestNotices } from './notices.page.tsx'
import { NAME } from './part.page.tsx'
import { Shortcuts } from './shortcuts.page.tsx'
import { ToDo, useWaiting } from './to-do.page.tsx'
import { useWorkbench } from './use-workbench.page.tsx'

/** As many things as fill a column's width wait beside the other boxes; more take the whole width, several in a line. */
const BESIDE = 3

export function Page() {
  const say = useTexts<typeof locale>(NAME)
  const name = useUser(user => user.info?.name ?? '')
  const { data } = useWorkbench()
  const waiting = useWaiting()
  const now = new Date()
  const known = waiting ?? 0
  const toDo = known > 0 && <ToDo columns={evenly(known)} />
  const isWide = known > BESIDE
  const boxes: readonly (Box | false)[] = [
    !isWide && toDo !== false && { name: 'to-do', shown: toDo },
    data !== undefined &&
      data.measures.length > 0 && { name: 'measures', shown: <Measures measures={data.measures} /> },
    ...(data?.care ?? []).map(care => ({ name: care.kind, shown: <Care care={care} /> })),
    useShowsOrders() && { name: 'orders', shown: <OrderFigures /> },
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
        {waiting === 0 && <p className="bench-idle">{say('todo-empty')}</p>}
      </header>
      {isWide && toDo}
      <Columns boxes={boxes.filter(box => box !== false)} />
    </div>
  )
}
