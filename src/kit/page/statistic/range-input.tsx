import { DatePicker } from 'antd'
import { dayOf } from '#kit/model/time.ts'
import { dayIn, useDays } from '../field/days.ts'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'

type Props = { label: string; from: string; to: string; onChange(from: string, to: string): void }

const DAY = 'YYYY-MM-DD'

/** Two calendar days, with the periods people ask for most at hand. */
export function RangeInput({ label, from, to, onChange }: Props) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const days = useDays()
  const today = days(dayOf(new Date()))
  const lastMonth = today.subtract(1, 'month')
  const ranges = {
    today: [today, today],
    yesterday: [today.subtract(1, 'day'), today.subtract(1, 'day')],
    last7: [today.subtract(6, 'day'), today],
    last30: [today.subtract(29, 'day'), today],
    last90: [today.subtract(89, 'day'), today],
    month: [today.startOf('month'), today],
    lastMonth: [lastMonth.startOf('month'), lastMonth.endOf('month')],
    year: [today.startOf('year'), today],
  } satisfies Record<string, [typeof today, typeof today]>
  return (
    <DatePicker.RangePicker
      aria-label={label}
      className="ink-range"
      allowClear={false}
      value={[dayIn(days, from), dayIn(days, to)]}
      presets={Object.entries(ranges).map(([name, value]) => ({
        label: kit(`preset.${name as keyof typeof ranges}`),
        value: value as [typeof today, typeof today],
      }))}
      onChange={chosen => {
        const [begin, end] = chosen ?? []
        if (begin && end) onChange(begin.format(DAY), end.format(DAY))
      }}
    />
  )
}
