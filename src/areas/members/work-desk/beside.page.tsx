import { useQueries } from '@tanstack/react-query'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useDeskScreen } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'

/** As many as stand beside a picture without a search. */
const MAX_MODELS = 12
const HAN = /\p{Script=Han}/gu

/** What a work is compared with: the attempt before, and how its characters are written. */
export function Beside({ work: { before, characters } }: { work: DeskWork }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const wanted = [...new Set(characters?.match(HAN) ?? [])].slice(0, MAX_MODELS)
  return (
    <div className="work-beside">
      {before && (
        <figure>
          <figcaption>
            {before.score === null ? say('desk.before-unscored') : say('desk.before', { score: before.score })}
          </figcaption>
          {before.pictures.map(url => (
            <img key={url} src={url} alt={say('desk.before-unscored')} />
          ))}
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
