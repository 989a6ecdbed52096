import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { formatCount, formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import { type Measured, QUIET_DAYS, RENEWAL_DAYS } from './model.ts'
import { NAME, Part } from './part.page.tsx'
import { Completion, TargetButton } from './target.page.tsx'

/** The figures this person is measured by: each opens its rows. */
export function Measures({ measures }: { measures: readonly Measured[] }) {
  const say = useTexts<typeof locale>(NAME)
  return (
    <Part title={say('measures')} tool={measures.some(hasTarget) && <TargetButton />}>
      <div className="bench-cards bench-measures">
        {measures.map(measured => (
          <Measure key={measured.name} measured={measured} />
        ))}
      </div>
    </Part>
  )
}

/** A target is for what one reaches oneself. */
const hasTarget = ({ name, isOwn }: Measured): boolean => isOwn && name === 'ordersPaid'

function Measure({ measured }: { measured: Measured }) {
  const say = useTexts<typeof locale>(NAME)
  const tab = useTab()
  const { name, period, count, fen, before, oldestAt, path } = measured
  const isMoney = fen !== null || before?.fen != null
  const shown = (amount: { count: number | null; fen: number | null }) => {
    const value = isMoney ? amount.fen : amount.count
    return value === null ? MISSING : isMoney ? formatFen(value) : formatCount(value)
  }
  return (
    <button type="button" className="bench-card" onClick={() => tab.open(path)}>
      <span>
        {hasTarget(measured)
          ? say('measure.ordersPaid.own')
          : say(`measure.${name}`, { quiet: QUIET_DAYS, renewal: RENEWAL_DAYS })}
      </span>
      <strong>{shown({ count, fen })}</strong>
      {count === null && fen === null && <span className="bench-quiet">{say('measure-missing')}</span>}
      {isMoney && count !== null && <span className="bench-quiet">{say('measure-count', { count })}</span>}
      {hasTarget(measured) && fen !== null && <Completion fen={fen} />}
      {before && period && <span className="bench-quiet">{say(`measure-${period}`, { before: shown(before) })}</span>}
      {oldestAt !== null && (
        <span className="bench-quiet">
          {say('todo-oldest')} <Instant at={oldestAt} />
        </span>
      )}
    </button>
  )
}
