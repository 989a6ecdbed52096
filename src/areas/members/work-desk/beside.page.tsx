import { useQueries } from '@tanstack/react-query'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { Comment } from './comments.page.tsx'
import { useDeskScreen } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'
import { isMarked, Marked } from './marked.page.tsx'

/** As many as stand beside a picture without a search. */
const MAX_MODELS = 12
const HAN = /\p{Script=Han}/gu

/** What was said of a work and no longer counts, so that it is said better. */
const overturnedOf = ({ comments }: DeskWork) => comments.filter(({ status }) => status === 'OVERTURNED')

/** Whether there is something of the pupil's own to compare a work with. */
export const isComparable = (work: DeskWork): boolean => work.before !== null || overturnedOf(work).length > 0

/** What a work is compared with: what was said of it and overturned, the attempt before, and how its characters are written. */
export function Beside({ work }: { work: DeskWork }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { before, characters } = work
  const wanted = [...new Set(characters?.match(HAN) ?? [])].slice(0, MAX_MODELS)
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
      {wanted.length > 0 && <Models characters={wanted} />}
    </div>
  )
}

type Strokes = readonly (readonly (readonly [number, number])[])[]

function Models({ characters }: { characters: readonly string[] }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { name } = useDeskScreen()
  const found = useQueries({
    queries: characters.map(character => ({
      queryKey: [name, 'model-character', character],
      queryFn: () => get<Strokes>(`/${name}/model-character`, { query: { character } }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  return (
    <section aria-label={say('desk.model')}>
      <h2>{say('desk.model')}</h2>
      <div className="work-models">
        {found.map(({ data }, at) =>
          data && data.length > 0 ? (
            <svg key={characters[at]} viewBox="-0.5 -0.5 1 1" role="img" aria-label={characters[at]}>
              {data.map((outline, nth) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: strokes have no name but their order
                <polygon key={nth} points={outline.map(point => point.join(',')).join(' ')} />
              ))}
            </svg>
          ) : null,
        )}
      </div>
    </section>
  )
}
