import { DatePicker } from 'antd'
import dayjs from 'dayjs'

type Props = {
  label: string
  begin: string | undefined
  end: string | undefined
  onChange(begin: string | undefined, end: string | undefined): void
}

/** Two calendar days, either of which may be open. A chunk of its own: calendars are heavy and most visits need none. */
export function DayRange({ label, begin, end, onChange }: Props) {
  return (
    <DatePicker.RangePicker
      aria-label={label}
      style={{ width: '100%' }}
      allowEmpty={[true, true]}
      value={[begin ? dayjs(begin) : null, end ? dayjs(end) : null]}
      onChange={days => onChange(days?.[0]?.format('YYYY-MM-DD'), days?.[1]?.format('YYYY-MM-DD'))}
    />
  )
}
