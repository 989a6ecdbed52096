import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { HOURS, WEEKDAYS } from './model.ts'
import { count, Figure, NAME, Part } from './part.page.tsx'
import type { Sources } from './use-chart.page.tsx'

const SHADES = 6

/** The hours between the first and the last at which anything was done. */
function hoursShown(week: readonly (readonly number[])[]): number[] {
  const all = Array.from({ length: HOURS }, (_, hour) => hour)
  const used = all.filter(hour => week.some(day => (day[hour] ?? 0) > 0))
  return all.slice(used[0] ?? 0, (used.at(-1) ?? -1) + 1)
}

/** When things are done with leads: the darker, the more. */
export function Heat({ week, sources }: { week: readonly (readonly number[])[]; sources: Sources }) {
  const say = useTexts<typeof locale>(NAME)
  const hours = hoursShown(week)
  const highest = Math.max(...week.flat(), 0)
  const shadeOf = (value: number) => (value > 0 ? Math.ceil(Math.sqrt(value / highest) * SHADES) : 0)
  const sum = (hour: number) => week.reduce((all, day) => all + (day[hour] ?? 0), 0)
  return (
    <Part title={say('heat')} note={say('heat-note')}>
      {hours.length === 0 ? (
        <p className="ink-statistic-note">{say('nothing-done')}</p>
      ) : (
        <div className="ink-grid sales-heat">
          <table aria-label={say('heat')}>
            <thead>
              <tr>
                <th scope="col">{say('weekday')}</th>
                {hours.map(hour => (
                  <th key={hour} scope="col" aria-label={say('hour', { hour })}>
                    {hour}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {WEEKDAYS.map((name, day) => (
                <tr key={name}>
                  <th scope="row">{say(`weekday.${name}`)}</th>
                  {hours.map(hour => {
                    const value = week[day]?.[hour] ?? 0
                    return (
                      <td key={hour} className={`ink-shade-${shadeOf(value)}`}>
                        {value > 0 ? count(value) : ''}
                      </td>
                    )
                  })}
                </tr>
              ))}
              <tr className="ink-sum">
                <th scope="row">{say('all-days')}</th>
                {hours.map(hour => (
                  <td key={hour}>
                    <Figure path={sources.hours} name={say('hour', { hour })} value={count(sum(hour))} />
                  </td>
                ))}
              </tr>
            </tbody>
          </table>
        </div>
      )}
    </Part>
  )
}
