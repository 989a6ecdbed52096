import { Button, Empty, Segmented, Space, Tag } from 'antd'
import { type Dispatch, useEffect, useRef, useState } from 'react'
import { isScored, type Mark, scoreOf } from '#areas/members/work/comment.model.ts'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { type Deed, isEmpty, type Judging, momentAt } from '#areas/members/work/desk-state.model.ts'
import type { ReadCharacter } from '#areas/members/work/suggestion.model.ts'
import { Age } from '#kit/page/field/waiting.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { showOverlay } from '#kit/page/shell/overlay.ts'
import { Beside, isComparable } from './beside.page.tsx'
import { useScreenTexts } from './desk-screen.page.tsx'
import { Easel, EaselTools, type Look, Toggle, USUAL_LOOK } from './easel.page.tsx'
import { Film } from './film.page.tsx'
import { JudgingPanel, useMarkWords, Words } from './judging.page.tsx'
import { Lease } from './lease.page.tsx'
import type { locale } from './locale.ts'
import { OtherWays } from './other-ways.page.tsx'
import { SuggestionPanel, useAccepting } from './suggestion.page.tsx'
import { RanOut } from './unsent.page.tsx'
import type { useDesk } from './use-desk.page.tsx'
import { useJudging } from './use-judging.page.tsx'
import { useKeys } from './use-keys.page.tsx'
import { usePhrases } from './use-phrases.page.tsx'
import { isReadable, useSuggestions } from './use-suggestion.page.tsx'
import { Voice } from './voice.page.tsx'

const SLA_MS = 24 * 3_600_000
/** What is left when a work is renewed for whoever goes on with it. */
const RENEWED_MS = 10 * 60_000

type Props = {
  work: DeskWork
  isLost: boolean
  desk: ReturnType<typeof useDesk>
  onDone(): void
  onNext(): void
}

/** One work on the desk: its picture, what it is compared with, and what is said of it. */
export function Workplace({ work, isLost, desk, onDone, onNext }: Props) {
  const say = useTexts<typeof locale>('members/work-desk')
  const notices = useNotices()
  const { deed } = desk
  const [judging, onDeed, forget] = useJudging(work.id)
  const [look, setLook] = useState<Look>(USUAL_LOOK)
  const [picture, setPicture] = useState(0)
  const [isCompared, setCompared] = useState(isComparable(work))
  const suggestion = useSuggestions(desk.data?.held ?? []).get(work.id)
  const accept = useAccepting(suggestion, onDeed)
  const phrases = usePhrases(work, judging, suggestion)
  const isReady = isScored(work.kind, judging.scores) && !isLost && !deed.isPending
  const send = () => {
    if (!isReady) return
    const { marks, scores, words, voice } = judging
    deed.mutate(
      {
        path: `${work.id}/comment`,
        body: { marks, scores, words, voice },
        once: `${work.id}:${work.leasedUntil}`,
        goesOn: true,
      },
      {
        onSuccess() {
          forget()
          onDone()
          notices.done(say('desk.sent'))
        },
      },
    )
  }
  useKeys({
    work,
    judging,
    phrases,
    look,
    onDeed,
    onLook: setLook,
    onCompare: () => setCompared(!isCompared),
    onTurnOver: () => setPicture((picture + 1) % Math.max(1, work.pictures.length)),
    onAccept: accept,
    onSend: send,
    onNext,
  })
  const meant = judging.chosen === null ? undefined : judging.marks[judging.chosen]?.picture
  useEffect(
    function turnToMark() {
      if (meant !== undefined) setPicture(meant)
    },
    [meant],
  )
  useNextPicture(desk.data?.held)
  useRenewing(work, judging, isLost, id => deed.mutate({ path: `${id}/renew` }))
  return (
    <>
      <div className="work-stage">
        <Space size={8} wrap>
          {work.video === null && <EaselTools look={look} onLook={setLook} />}
          {work.video === null && <Pictures count={work.pictures.length} shown={picture} onShow={setPicture} />}
          <Toggle isOn={isCompared} onPress={() => setCompared(!isCompared)} text={say('desk.compare')} by="C" />
          {!isLost && <OtherWays work={work} desk={desk} isSaid={!isEmpty(judging)} onDone={forget} />}
        </Space>
        <div className="work-views">
          <View
            work={work}
            picture={picture}
            look={look}
            judging={judging}
            read={suggestion?.pages[picture]?.characters ?? []}
            onDeed={onDeed}
          />
          {isCompared && <Beside work={work} />}
        </div>
      </div>
      <aside className="work-panel" aria-label={`${work.pupil.name} · ${work.lesson}`}>
        <PupilHead work={work} isLost={isLost} onOver={() => void desk.refetch()} />
        {isLost && (
          <RanOut
            onTake={() => desk.takeAgain(work.id)}
            onDiscard={() => {
              forget()
              onDone()
            }}
          />
        )}
        <div className="work-judging">
          {isReadable(work) && <SuggestionPanel kind={work.kind} suggestion={suggestion} onDeed={onDeed} />}
          <JudgingPanel
            kind={work.kind}
            isFilm={work.video !== null}
            judging={judging}
            phrases={phrases}
            onDeed={onDeed}
          />
        </div>
        <Sending {...{ work, judging, isReady, onDeed }} isPending={deed.isPending} onSend={send} />
      </aside>
    </>
  )
}

type SendingProps = {
  work: DeskWork
  judging: Judging
  isReady: boolean
  isPending: boolean
  onDeed: Dispatch<Deed>
  onSend(): void
}

/** The end of a comment, always in sight: its words, what is sent, and the keys that lead there. */
function Sending({ work: { kind }, judging, isReady, isPending, onDeed, onSend }: SendingProps) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { scores, words, voice } = judging
  return (
    <div className="work-send">
      <Words words={words} onWords={written => onDeed({ do: 'write', words: written })} />
      <Voice voice={voice} onVoice={spoken => onDeed({ do: 'speak', voice: spoken })} />
      <Button type="primary" disabled={!isReady} loading={isPending} onClick={onSend}>
        {isScored(kind, scores) ? say('desk.send-scored', { score: scoreOf(kind, scores) }) : say('desk.send')}
      </Button>
      <span className="inkstone-note work-keys">
        {say('desk.keys')} ·{' '}
        <Button type="link" size="small" onClick={() => showOverlay('help')}>
          {say('desk.all-keys')} <kbd>?</kbd>
        </Button>
      </span>
    </div>
  )
}

/** Which of several lies on top. */
function Pictures({ count, shown, onShow }: { count: number; shown: number; onShow(at: number): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  if (count < 2) return null
  const label = (at: number) => say('desk.picture', { number: at + 1 })
  const options = Array.from({ length: count }, (_, at) => ({ value: at, label: label(at) }))
  return <Segmented value={shown} onChange={onShow} options={options} />
}

type ViewProps = {
  work: DeskWork
  picture: number
  look: Look
  judging: Judging
  read: readonly ReadCharacter[]
  onDeed: Dispatch<Deed>
}

/** What is looked at: the film, or the picture that is on top. */
function View({ work: { video, pictures }, picture, look, judging, read, onDeed }: ViewProps) {
  const say = useTexts<typeof locale>('members/work-desk')
  const write = useMarkWords(judging)
  const url = pictures[picture]
  const onChoose = (at: number) => onDeed({ do: 'choose', at })
  const draw = (mark: Mark) => onDeed({ do: 'draw', mark })
  if (video !== null)
    return (
      <Film url={video} cover={url} judging={judging} onMark={second => draw(momentAt(second))} onChoose={onChoose} />
    )
  if (url === undefined) return <Empty description={say('desk.no-picture')} />
  return (
    <Easel
      // Where the keyboard points at is a place on one picture.
      key={picture}
      url={url}
      picture={picture}
      look={look}
      marks={judging.marks}
      read={read}
      chosen={judging.chosen}
      onDraw={draw}
      onChoose={onChoose}
      onWrite={write}
    />
  )
}

/** The pictures of what lies beneath are there before they are wanted. */
function useNextPicture(held: readonly DeskWork[] = []): void {
  const first = held.flatMap(({ pictures }) => pictures).join(' ')
  useEffect(
    function fetchNextPicture() {
      for (const url of first.split(' ')) if (url !== '') new Image().src = url
    },
    [first],
  )
}

/** Whoever goes on with a work keeps it: it is renewed before it is lost, while something is drawn, given or written. */
function useRenewing(
  { id, leasedUntil }: DeskWork,
  judging: Judging,
  isLost: boolean,
  renew: (id: string) => void,
): void {
  const latest = useRef(renew)
  latest.current = renew
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said is the sign that somebody goes on
  useEffect(
    function renewInTime() {
      const left = new Date(leasedUntil).getTime() - Date.now()
      if (!isLost && left > 0 && left < RENEWED_MS) latest.current(id)
    },
    [id, leasedUntil, isLost, judging],
  )
}

type HeadProps = { work: DeskWork; isLost: boolean; onOver(): void }

function PupilHead({ work, isLost, onOver }: HeadProps) {
  const { pupil, kind, lesson, attempt, isOwnPupil, submittedAt, leasedUntil } = work
  const say = useTexts<typeof locale>('members/work-desk')
  const sayOfScreen = useScreenTexts()
  return (
    <section>
      <h2>
        {pupil.name}
        <Age since={submittedAt} dueAt={new Date(new Date(submittedAt).getTime() + SLA_MS).toISOString()} />
      </h2>
      <div>
        {sayOfScreen(`kind.${kind}`)} · {lesson} · {say('desk.attempt', { attempt })}{' '}
        {isOwnPupil && <Tag>{say('desk.own')}</Tag>}
      </div>
      <div className="inkstone-note">
        {pupil.works === 0
          ? say('desk.first')
          : say('desk.pupil', { works: pupil.works, average: pupil.average ?? '–' })}
        {!isLost && (
          <>
            {' · '}
            <Lease until={leasedUntil} onOver={onOver} />
          </>
        )}
      </div>
    </section>
  )
}
