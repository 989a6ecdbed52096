import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { useTexts } from '#kit/page/language.ts'
import { Comment } from './comments.page.tsx'
import type { locale } from './locale.ts'
import { isMarked, Marked } from './marked.page.tsx'
import { Models } from './models.page.tsx'

/** What was said of a work and no longer counts, so that it is said better. */
const overturnedOf = ({ comments }: DeskWork) => comments.filter(({ status }) => status === 'OVERTURNED')

/** Whether there is something of the pupil's own to compare a work with. */
export const isComparable = (work: DeskWork): boolean => work.before !== null || overturnedOf(work).length > 0

/** What a work is compared with: what was said of it and overturned, the attempt before, and how its characters are written. */
export function Beside({ work }: { work: DeskWork }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { before, characters } = work
  return (
    <div className="work-beside">
      {overturnedOf(work).map(comment => (
        <section key={comment.id} aria-label={say('comment.OVERTURNED')}>
          <Comment comment={comment} pictures={work.pictures} />
        </section>
      ))}
      {before && (
        <figure>
          <figcaption>
            {before.score === null ? say('desk.before-unscored') : say('desk.before', { score: before.score })}
          </figcaption>
          {before.pictures.map((url, at) =>
            isMarked(before.marks, at) ? null : <img key={url} src={url} alt={say('desk.before-unscored')} />,
          )}
          <Marked pictures={before.pictures} marks={before.marks} />
          {before.words && <p>{before.words}</p>}
        </figure>
      )}
      <Models of={characters} />
    </div>
  )
}
