import { Pagination } from 'antd'
import { useState } from 'react'
import { measuresOf, type StatisticAnswer } from '#kit/model/statistic.ts'
import { FigureList } from '../field/figure.tsx'
import { useTexts } from '../language.ts'
import { withUnit } from './cards.tsx'
import { NumberLink } from './number-link.tsx'
import type { Shown } from './use-statistic.ts'

const ON_A_PAGE = 7

/** The table below 768 px: one card a row with all its numbers. The sums stand in the cards above the chart. */
export function NumberCards({ shown, answer }: { shown: Shown; answer: StatisticAnswer }) {
  const say = useTexts(shown.statistic.screen.name)
  const [page, setPage] = useState(1)
  // Another answer may be shorter.
  const current = Math.min(page, Math.ceil(answer.rows.length / ON_A_PAGE))
  return (
    <>
      {answer.rows.slice((current - 1) * ON_A_PAGE, current * ON_A_PAGE).map(row => (
        <section key={row.key ?? ''} className="ink-chart">
          <h3>{row.label}</h3>
          <FigureList
            figures={measuresOf(shown.statistic).map(([measure, { kind }]) => {
              const name = say(`measure.${measure}`)
              const value = withUnit(kind, row.values[answer.basis]?.[measure] ?? null)
              const links = shown.linksTo(answer, measure, row)
              return [
                name,
                <NumberLink key={measure} shown={shown} links={links} name={`${row.label}, ${name}`} value={value} />,
              ]
            })}
          />
        </section>
      ))}
      <Pagination
        hideOnSinglePage
        showSizeChanger={false}
        align="center"
        current={current}
        pageSize={ON_A_PAGE}
        total={answer.rows.length}
        onChange={setPage}
      />
    </>
  )
}
