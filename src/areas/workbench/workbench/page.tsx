import './workbench.css'
import { formatInstant, greetingAt } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import { useUser } from '#kit/page/user.ts'
import { OrderFigures } from './figures.page.tsx'
import type { locale } from './locale.ts'
import { LatestNotices } from './notices.page.tsx'
import { NAME } from './part.page.tsx'
import { Shortcuts } from './shortcuts.page.tsx'
import { ToDo } from './to-do.page.tsx'

export function Page() {
  const say = useTexts<typeof locale>(NAME)
  const name = useUser(user => user.info?.name ?? '')
  const now = new Date()
  return (
    <div className="bench">
      <header className="bench-head">
        <p>{say(`greeting.${greetingAt(now)}`, { name })}</p>
        <time>{formatInstant(now).slice(0, 10)}</time>
      </header>
      <ToDo />
      <OrderFigures />
      <div className="bench-columns">
        <Shortcuts />
        <LatestNotices />
      </div>
    </div>
  )
}
