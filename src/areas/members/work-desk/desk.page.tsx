import './desk.css'
import { Button, Empty, Segmented, Skeleton, Space, Tooltip } from 'antd'
import { useEffect, useReducer, useRef, useState } from 'react'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { MAX_HELD } from '#areas/members/work/desk.model.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { Unsent } from './unsent.page.tsx'
import { useDesk } from './use-desk.page.tsx'
import { useDeskKeys } from './use-desk-keys.page.tsx'
import { done, usePresses } from './use-presses.page.tsx'
import { Workplace } from './workplace.page.tsx'

/** One work after the other: what is held, and beside it on the desk the next one. */
export function Desk({ onLeave }: { onLeave(): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const desk = useDesk()
  const { data, error, refetch, deed } = desk
  const [shown, setShown] = useState<string>()
  const [, lookAgain] = useReducer((times: number) => times + 1, 0)
  const inSight = useRef<DeskWork>(undefined)
  // What was lost while somebody wrote stays in sight until it is let go of, however the loss became known.
  const lost = inSight.current && desk.unsent.includes(inSight.current.id) ? [inSight.current] : []
  const held = data?.held ?? []
  const works = [...lost, ...held]
  // Whatever else comes, goes or is held for longer: what somebody is at stays in sight.
  const current = works.find(({ id }) => id === shown) ?? works.find(({ id }) => id === inSight.current?.id) ?? works[0]
  usePresses(key => {
    const by = { '[': -1, ']': 1 }[key]
    const next = by !== undefined && current ? works.at((works.indexOf(current) + by) % works.length) : undefined
    return next !== undefined && done(() => setShown(next.id))
  })
  useDeskKeys(current !== undefined && current.video !== null)
  useEffect(function rememberWhatIsInSight() {
    inSight.current = current
  })
  const { mutate, isPending } = deed
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  const takeNext = () => mutate({ path: 'take-next', goesOn: true })
  const isFull = held.length >= MAX_HELD
  const mayTake = !isFull && data.waiting.department > 0
  return (
    <div className="work-desk">
      <div className="work-head">
        <Button onClick={onLeave}>{say('desk.back')}</Button>
        {works.length > 1 && (
          <Segmented
            aria-label={say('desk.held')}
            value={current?.id ?? ''}
            onChange={setShown}
            options={works.map(({ id, pupil, lesson }) => ({ value: id, label: `${pupil.name} · ${lesson}` }))}
          />
        )}
        <span className="inkstone-note">{say('desk.waiting', data.waiting)}</span>
        <JustSaid desk={desk} onBack={setShown} />
        <Unsent ids={desk.unsent.filter(id => id !== current?.id)} onTake={desk.takeAgain} onDiscard={lookAgain} />
        <Tooltip title={isFull ? say('desk.full', { count: MAX_HELD }) : undefined}>
          <Button disabled={!mayTake || isPending} onClick={takeNext}>
            {say('desk.next')} <kbd>N</kbd>
          </Button>
        </Tooltip>
      </div>
      {current ? (
        <Workplace
          key={current.id}
          work={current}
          isLost={!held.some(({ id }) => id === current.id)}
          desk={desk}
          onDone={lookAgain}
          onNext={() => mayTake && takeNext()}
        />
      ) : (
        <NothingHere waits={data.waiting.department > 0} onNext={takeNext} />
      )}
    </div>
  )
}

function NothingHere({ waits, onNext }: { waits: boolean; onNext(): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  usePresses(key => key === 'n' && waits && done(onNext))
  return (
    <Empty style={{ gridColumn: '1 / -1' }} description={waits ? say('desk.ready') : say('desk.none-hint')}>
      {waits ? (
        <Button type="primary" size="large" onClick={onNext}>
          {say('desk.next')}
        </Button>
      ) : (
        say('desk.none')
      )}
    </Empty>
  )
}

/** What has just been said can still be taken back. */
function JustSaid({
  desk: { data, takeBack },
  onBack,
}: {
  desk: ReturnType<typeof useDesk>
  onBack(id: string): void
}) {
  const say = useTexts<typeof locale>('members/work-desk')
  const last = data?.said[0]
  const back = ({ id }: { id: string }) => takeBack.mutate(id, { onSuccess: () => onBack(id) })
  usePresses(key => key === 'z' && last !== undefined && !takeBack.isPending && done(() => back(last)))
  if (!last) return null
  return (
    <Space size={4}>
      <span className="inkstone-note">
        {say('desk.said')} {last.lesson}
      </span>
      <Button size="small" onClick={() => back(last)}>
        {say('desk.take-back')} <kbd>Z</kbd>
      </Button>
    </Space>
  )
}
