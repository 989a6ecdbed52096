import './workbench.css'
import { formatInstant, greetingAt } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import { useUser } from '#kit/page/user.ts'
import { Care } from './care.page.tsx'
import { Decisions } from './decisions.page.tsx'
import { OrderFigures } from './figures.page.tsx'
import type { locale } from './locale.ts'
import { LowStock } from './low-stock.page.tsx'
import { Measures } from './measures.page.tsx'
import { LatestNotices } from './notices.page.tsx'
import { NAME } from './part.page.tsx'
import { Shortcuts } from './shortcuts.page.tsx'
import { ToDo, useIsIdle } from './to-do.page.tsx'
import { useWorkbench } from './use-workbench.page.tsx'

export function Page() {
  const say = useTexts<typeof locale>(NAME)
  const name = useUser(user => user.info?.name ?? '')
  const { data } = useWorkbench()
  const isIdle = useIsIdle()
  const now = new Date()
  const decisions = data?.decisions && <Decisions known={data.decisions} />
  const lowStock = data?.lowStock && <LowStock low={data.lowStock} />
  // Fewer things wait than figures stand beside them: what else is this person's today fills the column.
  const filling = data && data.toDos.length < data.measures.length ? (decisions ?? lowStock) : null
  return (
    <div className="bench">
      <header className="bench-head">
        <p>{say(`greeting.${greetingAt(now)}`, { name })}</p>
        <time>{formatInstant(now).slice(0, 10)}</time>
        {isIdle && <p className="bench-idle">{say('todo-empty')}</p>}
      </header>
      <div className="bench-columns">
        {(!isIdle || filling) && (
          <div className="bench-stack">
            {!isIdle && <ToDo />}
            {filling}
          </div>
        )}
        {data && data.measures.length > 0 && <Measures measures={data.measures} />}
      </div>
      {data?.care && (
        <div className="bench-care">
          {data.care.map(care => (
            <Care key={care.kind} care={care} />
          ))}
        </div>
      )}
      <OrderFigures />
      <div className="bench-columns bench-lists">
        {decisions !== filling && decisions}
        {lowStock !== filling && lowStock}
        <Shortcuts />
        <LatestNotices />
      </div>
    </div>
  )
}
