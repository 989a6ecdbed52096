import { ClockCircleOutlined } from '@ant-design/icons'
import type { Tone } from '#kit/model/field.ts'
import type { StepRefusal } from '#kit/model/resource.ts'
import { formatInstant } from '#kit/model/time.ts'
import { ageOf, type Pace, paceOf, type Waiting } from '#kit/model/waiting.ts'
import { useLanguage, useTexts } from '../language.ts'
import { useToneColours } from '../tone.tsx'
import { useUser } from '../user.ts'
import type { locale } from './locale.ts'
import { useMinute } from './minute.ts'

const TONES: Readonly<Record<Pace, Tone>> = { normal: 'idle', due: 'attention', overdue: 'failed' }

type Props = {
  waiting: Waiting
  steps: Readonly<Record<string, StepRefusal | null>>
  /** In a table, where the words would cost another column its room: a clock stands for them. */
  brief: boolean
}

/** "Waiting for finance · 2 days · overdue": never by colour alone. */
export function WaitingLine({ waiting, steps, brief }: Props) {
  const say = useTexts<typeof locale>('kit/page/field')
  const { step, who, person, why, since, dueAt, hours } = waiting
  const isNamed = useUser(({ info }) => person === undefined || person.id === info?.id)
  const isMine = step !== null && steps[step] === null && isNamed
  const told = why ?? (isMine ? say('waiting-you') : say('waiting', { who }))
  return (
    <span className="inkstone-waiting" title={why ?? (isMine || brief ? say('waiting', { who }) : undefined)}>
      {brief ? (
        <span className="inkstone-who">
          <ClockCircleOutlined role="img" aria-label={told} />
          {why ?? (isMine ? say('brief-you') : (person?.name ?? who))}
        </span>
      ) : (
        told
      )}
      {since !== null && (
        <span>
          {'\u00a0· '}
          <Age since={since} dueAt={dueAt} hours={hours} brief={brief} />
        </span>
      )}
    </span>
  )
}

type AgeProps = Pick<Waiting, 'dueAt' | 'hours'> & { since: string; brief?: boolean }

/** How long, in the tone of how much of its time is gone; drawn anew each minute. */
export function Age({ since, dueAt, hours, brief = false }: AgeProps) {
  const say = useTexts<typeof locale>('kit/page/field')
  const language = useLanguage()
  const now = useMinute()
  const colours = useToneColours()
  const pace = paceOf({ since, dueAt, hours }, now)
  const { count, unit } = ageOf(since, now, hours)
  const age = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: brief ? 'short' : 'long' }).format(
    count,
  )
  const due = dueAt === null ? undefined : say('due-at', { time: formatInstant(new Date(dueAt)).slice(0, 16) })
  return (
    <time dateTime={since} title={due} style={{ color: colours[TONES[pace]].text, wordBreak: 'keep-all' }}>
      {/* The dot stays with the age: no line begins with it, and none ends within a word. */}
      {pace === 'normal' ? age : `${age}\u00a0· ${say(pace)}`}
    </time>
  )
}
