import type { Mark } from '#areas/members/work/comment.model.ts'
import { clockOf } from '#areas/members/work/desk-state.model.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { MarkShape } from './mark.page.tsx'
import { useSize } from './use-size.page.tsx'

/** Numbers stay readable where a picture is small: a unit is a share of its longer side. */
const UNITS = 60

type Props = { pictures: readonly (string | undefined)[]; marks: readonly Mark[] }

/** What was marked, as it was meant: the pictures with their marks on them, and what is said of each. */
export function Marked({ pictures, marks }: Props) {
  return (
    <>
      <div className="work-marked">
        {pictures.map((url, picture) =>
          url !== undefined && isMarked(marks, picture) ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a mark names its picture by its place
            <MarkedPicture key={picture} url={url} picture={picture} marks={marks} />
          ) : null,
        )}
      </div>
      <SaidOfMarks marks={marks} />
    </>
  )
}

export const isMarked = (marks: readonly Mark[], picture: number): boolean =>
  marks.some(mark => mark.shape !== 'TIME' && mark.picture === picture)

type OnePicture = { url: string; picture: number; marks: readonly Mark[] }

/** To look at alone: nothing is drawn here. */
function MarkedPicture({ url, picture, marks }: OnePicture) {
  const say = useTexts<typeof locale>('members/work-desk')
  const size = useSize(url)
  if (!size) return <div className="work-marked-picture" aria-busy />
  const { width, height } = size
  const drawn = marks.flatMap((mark, at) => (mark.shape !== 'TIME' && mark.picture === picture ? [{ mark, at }] : []))
  const name = say('desk.picture', { number: picture + 1 })
  return (
    <svg
      className="work-marked-picture"
      role="img"
      aria-label={drawn.length === 0 ? name : `${name} · ${say('comment.marks', { count: drawn.length })}`}
      viewBox={`0 0 ${width} ${height}`}
    >
      <image href={url} width={width} height={height} />
      {drawn.map(({ mark, at }) => (
        <MarkShape key={at} mark={mark} at={at} unit={Math.max(width, height) / UNITS} />
      ))}
    </svg>
  )
}

/** Moments in the order of the film; marks on pictures by the numbers they have there, as far as anything is said of them. */
function SaidOfMarks({ marks }: Pick<Props, 'marks'>) {
  const faults = useDictionary('WORK_FAULT')
  const said = marks
    .map(({ second, fault, words }, at) => {
      const text = [faults.find(({ v }) => v === fault)?.k, words].filter(Boolean).join(' · ')
      return { at, second, text }
    })
    .filter(({ second, text }) => second !== undefined || text !== '')
    .sort((a, b) => (a.second ?? a.at) - (b.second ?? b.at))
  if (said.length === 0) return null
  return (
    <ul className="work-moments">
      {said.map(({ at, second, text }) => (
        <li key={at}>
          <span className="inkstone-figure">{second === undefined ? at + 1 : clockOf(second)}</span>
          {text}
        </li>
      ))}
    </ul>
  )
}
