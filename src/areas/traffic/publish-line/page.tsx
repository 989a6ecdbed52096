import { Segmented, Space } from 'antd'
import { useState } from 'react'
import { dayOf } from '#kit/model/time.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { useChosenView } from '#kit/page/list/begin-view.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { recordOf } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { type PublishLine, resource } from './model.ts'
import { Standing } from './standing.page.tsx'

const Month = later(async () => (await import('./month.page.tsx')).Month)

/** The plan as the pages of a calendar, or as a list to work on, for whoever asks for a part of it. */
export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const isAsked = useChosenView(resource) !== undefined || tab.search.size > 0
  const address = tab.search.toString()
  // Whoever is led here to some of the lines, by whatever link, finds these.
  const [drawnAt, draw] = useState(isAsked ? undefined : address)
  const isListed = drawnAt !== address || recordOf(tab.path) !== undefined
  const turnTo = (next: 'list' | 'calendar') => {
    draw(next === 'calendar' ? address : undefined)
    // The list begins with today and what went before: what is planned stands weeks ahead.
    if (next === 'list' && !isAsked) tab.change({ dayEnd: dayOf(new Date()) })
  }
  const choice = (
    <Segmented
      aria-label={say('look')}
      value={isListed ? 'list' : 'calendar'}
      onChange={turnTo}
      options={[
        { value: 'list', label: say('look.list') },
        { value: 'calendar', label: say('look.calendar') },
      ]}
    />
  )
  if (!isListed) return <Month choice={choice} />
  return (
    <ListPage
      resource={resource}
      tools={choice}
      shows={{ published: (line: PublishLine) => <Published line={line} /> }}
    />
  )
}

/** How the day went, and the way to its notes. */
function Published({ line }: { line: PublishLine }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { day, account, operatorId, published } = line
  return (
    <Space>
      <Standing of={line} />
      <Figure>
        <RowsLink
          list={area.screens.note}
          query={{ account, operatorId, publishedAtBegin: day, publishedAtEnd: day }}
          name={say('field.published')}
          value={formatCount(published)}
        />
      </Figure>
    </Space>
  )
}
