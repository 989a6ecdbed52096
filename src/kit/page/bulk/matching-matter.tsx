import type { Matching } from '#kit/model/task.ts'
import { formatCount, formatFen } from '../figures.ts'
import { useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import type { locale } from './locale.ts'
import { openOf } from './matching.ts'

/** What is about to be decided for everything that matches: how many they are, how much together, and what stays out. */
export function MatchingMatter({ told }: { told: Matching }) {
  const { count, sumFen, closed } = told
  const kit = useTexts<typeof kitLocale>('kit/page')
  const bulk = useTexts<typeof locale>('kit/page/bulk')
  if (count === 0) return <p className="inkstone-matter">{bulk('nothing')}</p>
  return (
    <div className="inkstone-matter">
      <p>
        <strong>
          {closed.length > 0
            ? bulk('matching-open', { count: formatCount(count), open: formatCount(openOf({ told })) })
            : bulk('matching', { count: formatCount(count) })}
        </strong>
        {sumFen !== null && <strong> · {kit('matter-sum', { sum: formatFen(sumFen) })}</strong>}
      </p>
      {closed.map(({ msg, count: left }) => (
        <p key={msg} className="inkstone-matter-closed">
          {kit('matter-closed', { count: formatCount(left), why: msg })}
        </p>
      ))}
      <p>{bulk('background')}</p>
    </div>
  )
}
