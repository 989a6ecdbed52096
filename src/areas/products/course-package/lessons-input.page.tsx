import { useMemo } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { whole, words } from '#kit/page/lines/cells.tsx'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { type Lesson, MAX_DAYS, MAX_LESSONS, MAX_WORDS, resource } from './model.ts'

type Props = { id?: string; value?: Lesson[]; onChange?: (lessons: Lesson[]) => void }

/** The lessons of a course in the order they are taught; a new one stands on the day after the last. */
export function LessonsInput(given: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const columns = useMemo(
    (): Column<Lesson>[] => [
      { name: 'day', title: say('lesson.day'), width: 80, ...whole({ min: 1, max: MAX_DAYS }) },
      { name: 'title', title: say('lesson.title'), ...words(100) },
      { name: 'material', title: say('lesson.material'), ...words(MAX_WORDS) },
      { name: 'homework', title: say('lesson.homework'), ...words(MAX_WORDS) },
    ],
    [say],
  )
  return (
    <Lines
      {...given}
      columns={columns}
      isSorted
      settleMoved={onTheirDays}
      grows={{ blank: nextLesson, max: MAX_LESSONS, add: say('add-lesson') }}
    />
  )
}

const nextLesson = (lessons: readonly Lesson[]): Lesson => ({
  title: '',
  day: Math.min((lessons.at(-1)?.day ?? 0) + 1, MAX_DAYS),
  material: '',
  homework: '',
})

/** Days stay where they are: what is moved is what is taught on them. */
const onTheirDays = (lessons: readonly Lesson[], before: readonly Lesson[]): Lesson[] =>
  lessons.map((lesson, at) => ({ ...lesson, day: before[at]?.day ?? lesson.day }))
