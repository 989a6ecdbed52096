import { useQueries } from '@tanstack/react-query'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useDeskScreen } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'

/** As many as stand beside a picture without a search. */
const MAX_MODELS = 12
const HAN = /\p{Script=Han}/gu

type Strokes = readonly (readonly (readonly [number, number])[])[]

/** How the characters of a work are written; nothing where there are none. */
export function Models({ of }: { of: string | null }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { name } = useDeskScreen()
  const characters = [...new Set(of?.match(HAN) ?? [])].slice(0, MAX_MODELS)
  const found = useQueries({
    queries: characters.map(character => ({
      queryKey: [name, 'model-character', character],
      queryFn: () => get<Strokes>(`/${name}/model-character`, { query: { character } }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  if (characters.length === 0) return null
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
