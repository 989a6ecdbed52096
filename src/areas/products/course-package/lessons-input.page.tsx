import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Space, Typography } from 'antd'
import { useLineErrors } from '#kit/page/form/line-errors.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import type { locale } from './locale.ts'
import { type Lesson, MAX_DAYS, MAX_LESSONS, MAX_WORDS, resource } from './model.ts'

type Props = { value?: Lesson[]; onChange?: (lessons: Lesson[]) => void }

/** The lessons of a course in the order they are taught; a new one stands on the day after the last. */
export function LessonsInput({ value: lessons = [], onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const add = () => {
    const day = Math.min((lessons.at(-1)?.day ?? 0) + 1, MAX_DAYS)
    onChange?.([...lessons, { title: '', day, material: '', homework: '' }])
  }
  const line = (lesson: Lesson, at: number) => (
    <LessonLine key={at} lessons={lessons} lesson={lesson} at={at} onChange={changed => onChange?.(changed)} />
  )
  return (
    <Space orientation="vertical" size={12} style={{ width: '100%' }}>
      {lessons.map(line)}
      <Button block type="dashed" disabled={lessons.length >= MAX_LESSONS} onClick={add}>
        {say('add-lesson')}
      </Button>
    </Space>
  )
}

type LineProps = { lessons: Lesson[]; lesson: Lesson; at: number; onChange(lessons: Lesson[]): void }

function LessonLine({ lessons, lesson, at, onChange }: LineProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const wrong = useLineErrors()
  const set = (part: Partial<Lesson>) => onChange(lessons.with(at, { ...lesson, ...part }))
  // Days stay where they are: what is moved is what is taught on them.
  const swap = (to: number) => {
    const other = lessons[to] ?? lesson
    onChange(lessons.with(at, { ...other, day: lesson.day }).with(to, { ...lesson, day: other.day }))
  }
  const words = (field: 'title' | 'material' | 'homework', max: number) => {
    const name = say(`lesson.${field}`)
    const write = (typed: string) => set({ [field]: typed })
    return (
      <Input
        aria-label={name}
        {...(field === 'title'
          ? { placeholder: name }
          : { prefix: <Typography.Text type="secondary">{name}</Typography.Text> })}
        maxLength={max}
        value={lesson[field]}
        onChange={event => write(event.target.value)}
        {...wrong(`${at}.${field}`)}
      />
    )
  }
  const tools = [
    { name: kit('move-up'), icon: <ArrowUpOutlined />, off: at === 0, run: () => swap(at - 1) },
    { name: kit('move-down'), icon: <ArrowDownOutlined />, off: at === lessons.length - 1, run: () => swap(at + 1) },
    { name: kit('delete'), icon: <DeleteOutlined />, off: false, run: () => onChange(lessons.toSpliced(at, 1)) },
  ]
  return (
    <Space orientation="vertical" size={4} style={{ width: '100%' }}>
      <Space.Compact block>
        <InputNumber
          aria-label={say('lesson.day')}
          formatter={day => say('day-number', { day: day ?? '' })}
          parser={typed => Number(typed?.replace(/\D/g, '') ?? '')}
          min={1}
          max={MAX_DAYS}
          precision={0}
          value={lesson.day}
          onChange={day => set({ day: day ?? 1 })}
          {...wrong(`${at}.day`)}
          style={{ width: 120, flex: 'none' }}
        />
        {words('title', 100)}
        {tools.map(({ name, icon, off, run }) => (
          <Button key={name} aria-label={name} title={name} icon={icon} disabled={off} onClick={run} />
        ))}
      </Space.Compact>
      <Space.Compact block>
        {words('material', MAX_WORDS)}
        {words('homework', MAX_WORDS)}
      </Space.Compact>
    </Space>
  )
}
