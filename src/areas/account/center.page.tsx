import './center.css'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Screen } from '#kit/model/area.ts'
import { useTexts } from '#kit/page/language.ts'
import { useTitles } from '#kit/page/menu.ts'
import { firstDuty, useUser } from '#kit/page/user.ts'
import { area } from './area.ts'
import type { locale } from './locale.ts'

/** The personal centre: its pages in a side list, and the one that is open. */
export function Center({ screen, children }: { screen: Screen; children: ReactNode }) {
  const say = useTexts<typeof locale>(area.name)
  const menu = useTitles()
  // Before what comes first is done, nothing else can be opened.
  const isHeldUp = useUser(user => firstDuty(user.info) !== undefined)
  const pages = isHeldUp ? [screen] : Object.values(area.screens)
  return (
    <div className="center">
      <nav aria-label={say('title')}>
        <ul>
          {pages.map(page => (
            <li key={page.name}>
              <Link to={page.route} aria-current={page === screen ? 'page' : undefined}>
                {menu(page.name)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby={`${screen.name}-title`}>
        <h2 id={`${screen.name}-title`}>{menu(screen.name)}</h2>
        {children}
      </section>
    </div>
  )
}
