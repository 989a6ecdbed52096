import { CaretRightOutlined, FlagOutlined, PauseOutlined } from '@ant-design/icons'
import { Alert, Button, Segmented, Slider, Space } from 'antd'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { clockOf, type Judging } from '#areas/members/work/desk-state.model.ts'
import { useTexts } from '#kit/page/language.ts'
import { useMarkWords } from './judging.page.tsx'
import type { locale } from './locale.ts'
import { usePresses } from './use-presses.page.tsx'

/** How long what is said of a moment stands under it. */
const SHOWN_SECONDS = 2
const STEP_SECONDS = 1
const RATES = [0.5, 1, 1.5] as const
type Rate = (typeof RATES)[number]

type Props = {
  url: string
  cover: string | undefined
  judging: Judging
  onMark(second: number): void
  onChoose(at: number): void
}

/** A film with its time line, on which what is said stands where it is meant. */
export function Film({ url, cover, judging, onMark, onChoose }: Props) {
  const say = useTexts<typeof locale>('members/work-desk')
  const film = useRef<HTMLVideoElement>(null)
  const { source, isBroken, renew } = useLink(url, film)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [rate, setRate] = useState<Rate>(1)
  const { marks, chosen } = judging
  const seek = (second: number) => {
    if (film.current) film.current.currentTime = Math.max(0, Math.min(second, length))
  }
  const toggle = () => (film.current?.paused ? void film.current.play() : film.current?.pause())
  const mark = () => {
    film.current?.pause()
    onMark(film.current?.currentTime ?? 0)
  }
  const playAt = (value: Rate) => {
    setRate(value)
    if (film.current) film.current.playbackRate = value
  }
  const chosenSecond = chosen === null ? undefined : marks[chosen]?.second
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice leads elsewhere
  useEffect(
    function goToChosen() {
      if (chosenSecond === undefined) return
      film.current?.pause()
      seek(chosenSecond)
    },
    [chosen],
  )
  const write = useMarkWords(judging)
  useFilmKeys({
    toggle,
    mark,
    step: by => seek((film.current?.currentTime ?? 0) + by),
    play: by => playAt(RATES[RATES.indexOf(rate) + by] ?? rate),
    write,
  })
  const said = marks.filter(({ second = -SHOWN_SECONDS }) => at >= second - 0.05 && at < second + SHOWN_SECONDS)
  return (
    <div className="work-film">
      {isBroken && <Alert type="warning" showIcon title={say('desk.film-broken')} />}
      <div className="work-film-screen">
        <video
          ref={film}
          src={source}
          {...(cover === undefined ? {} : { poster: cover })}
          aria-label={say('desk.film')}
          playsInline
          preload="metadata"
          onClick={toggle}
          onLoadedMetadata={({ currentTarget }) => setLength(currentTarget.duration)}
          onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onError={renew}
        />
        {said.length > 0 && (
          <p className="work-film-said">
            {said
              .map(({ words }) => words)
              .filter(Boolean)
              .join(' · ') || say('desk.film-marked')}
          </p>
        )}
      </div>
      <TimeLine at={at} length={length} judging={judging} onSeek={seek} onChoose={onChoose} />
      <Space size={8} wrap>
        <Button
          aria-label={say(isPlaying ? 'desk.pause' : 'desk.play')}
          icon={isPlaying ? <PauseOutlined /> : <CaretRightOutlined />}
          onClick={toggle}
        />
        <span className="inkstone-figure">
          {clockOf(at)} / {clockOf(length)}
        </span>
        <Button icon={<FlagOutlined aria-hidden />} onClick={mark}>
          {say('desk.mark-here')} <kbd>M</kbd>
        </Button>
        <Segmented
          aria-label={say('desk.rate')}
          value={rate}
          onChange={playAt}
          options={RATES.map(value => ({ value, label: `${value}×` }))}
        />
      </Space>
    </div>
  )
}

type LineProps = Pick<Props, 'judging' | 'onChoose'> & { at: number; length: number; onSeek(second: number): void }

function TimeLine({ at, length, judging: { marks, chosen }, onSeek, onChoose }: LineProps) {
  const say = useTexts<typeof locale>('members/work-desk')
  return (
    <div className="work-line">
      {length > 0 &&
        marks.map(({ second }, nth) =>
          second === undefined ? null : (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: marks are told apart by their place alone
              key={nth}
              type="button"
              className={nth === chosen ? 'work-moment work-moment-chosen' : 'work-moment'}
              style={{ insetInlineStart: `${(100 * Math.min(second, length)) / length}%` }}
              aria-label={say('desk.moment', { number: nth + 1, time: clockOf(second) })}
              onClick={() => onChoose(nth)}
            >
              {nth + 1}
            </button>
          ),
        )}
      <Slider
        ariaLabelForHandle={say('desk.time-line')}
        min={0}
        max={length || 1}
        step={0.1}
        value={at}
        onChange={onSeek}
        tooltip={{ formatter: value => clockOf(value ?? 0) }}
      />
    </div>
  )
}

/**
 * A link lives five minutes, and the desk brings new ones. The film goes on by the one it began with, and takes the newest
 * where that has ended.
 */
function useLink(url: string, film: RefObject<HTMLVideoElement | null>) {
  const [source, setSource] = useState(url)
  const [isBroken, setBroken] = useState(false)
  const renew = () => {
    if (source === url) return setBroken(true)
    const { current } = film
    const second = current?.currentTime ?? 0
    setBroken(false)
    setSource(url)
    const goOn = () => {
      if (current) current.currentTime = second
    }
    current?.addEventListener('loadedmetadata', goOn, { once: true })
  }
  return { source, isBroken, renew }
}

type Keys = {
  toggle(): void
  mark(): void
  step(by: number): void
  /** Faster, or slower. */
  play(by: 1 | -1): void
  /** Nothing while no mark is meant. */
  write: (() => void) | undefined
}

/** Space, the arrows, M, plus and minus, and Enter to write what is meant; whoever stands on a control has its own keys. */
function useFilmKeys({ toggle, mark, step, play, write }: Keys): void {
  usePresses((key, { target }) => {
    if (target instanceof HTMLElement && target.closest(CONTROLS) !== null) return false
    if (key === ' ') toggle()
    else if (key === 'arrowleft') step(-STEP_SECONDS)
    else if (key === 'arrowright') step(STEP_SECONDS)
    else if (key === 'm') mark()
    else if (key === '+' || key === '=') play(1)
    else if (key === '-') play(-1)
    else if (key === 'enter' && write) write()
    else return false
    return true
  })
}

const CONTROLS = 'button, a, input, [role="slider"], [role="radio"]'
