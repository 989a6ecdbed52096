import { DatePicker } from 'antd'
import { FIRST_DAY, LAST_DAY } from '#kit/model/time.ts'
import { dayIn, useDays } from '../field/days.ts'

type Props = {
  label: string
  width: number | string
  begin: string | undefined
  end: string | undefined
  onChange(begin: string | undefined, end: string | undefined): void
}

/** Two calendar days, either of which may be open. A chunk of its own: calendars are heavy and most visits need none. */
export function DayRange({ label, width, begin, end, onChange }: Props) {
  const days = useDays()
  return (
    <DatePicker.RangePicker
      aria-label={label}
      style={{ width }}
      allowEmpty={[true, true]}
      minDate={days(FIRST_DAY)}
      maxDate={days(LAST_DAY)}
      value={[dayIn(days, begin), dayIn(days, end)]}
      onChange={chosen => onChange(chosen?.[0]?.format('YYYY-MM-DD'), chosen?.[1]?.format('YYYY-MM-DD'))}
    />
  )
}
