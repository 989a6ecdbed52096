import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { formatInstant } from '#kit/model/time.ts'
import { CallFailed, get, post } from '#kit/page/call.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useNotices } from '#kit/page/notice.tsx'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import { loadUser, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import { Center } from '../center.page.tsx'
import type { locale } from './locale.ts'
import type { BegunFactor, FactorState, RecoveryCodes } from './model.ts'
import type { Asked, Proof } from './prove.page.tsx'

const SCREEN = area.screens['settings-factor']
const FEW_CODES = 3

const Enrol = later(async () => (await import('./enrol.page.tsx')).Enrol)
const Codes = later(async () => (await import('./codes.page.tsx')).Codes)
const ProveModal = later(async () => (await import('./prove.page.tsx')).ProveModal)

export function Page() {
  const [begun, setBegun] = useState<BegunFactor>()
  const [codes, setCodes] = useState<readonly string[]>()
  const tab = useTab()
  const client = useQueryClient()
  const isForced = useUser(user => user.info?.mustEnrol ?? false)
  const finish = async () => {
    setCodes(undefined)
    setBegun(undefined)
    await client.invalidateQueries({ queryKey: [SCREEN.name] })
    if (!isForced) return
    // Whoever had to set it up first came here for something else.
    await loadUser()
    tab.open('/')
  }
  return (
    <Center screen={SCREEN}>
      {codes ? (
        <Codes codes={codes} onKept={() => void finish()} />
      ) : begun ? (
        <Enrol begun={begun} onDone={setCodes} onGiveUp={() => setBegun(undefined)} />
      ) : (
        <Standing isForced={isForced} onBegun={setBegun} onCodes={setCodes} />
      )}
    </Center>
  )
}

type StandingProps = {
  isForced: boolean
  onBegun(begun: BegunFactor): void
  onCodes(codes: readonly string[]): void
}

/** How it stands, and what can be done about it. */
function Standing({ isForced, onBegun, onCodes }: StandingProps) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const notices = useNotices()
  const [asked, setAsked] = useState<Asked>()
  const { data, error, refetch } = useQuery({
    queryKey: [SCREEN.name],
    queryFn: ({ signal }) => get<FactorState>(`/${SCREEN.name}`, { signal }),
  })
  const begin = async (proof: Partial<Proof>) => onBegun(await post<BegunFactor>(`/${SCREEN.name}/begin`, proof))
  const done: Readonly<Record<Asked, (proof: Partial<Proof>) => Promise<void>>> = {
    on: begin,
    'new-device': begin,
    'new-codes': async proof => onCodes((await post<RecoveryCodes>(`/${SCREEN.name}/codes`, proof)).codes),
    async off(proof) {
      await post(`/${SCREEN.name}/off`, proof)
      notices.done(say('turned-off'))
      await refetch()
    },
  }
  // Who has just signed in to set it up need not show the password a second time; who was signed in before is asked for it.
  const turnOn = () => (isForced ? void begin({}).catch(askOrTell) : setAsked('on'))
  const askOrTell = (failure: unknown) =>
    failure instanceof CallFailed && failure.fields.password ? setAsked('on') : notices.failed(failure, say('failed'))
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} />
  return (
    <>
      <p className="center-quiet">{say('about')}</p>
      <State state={data} />
      <Space wrap>
        {data.since === null ? (
          <Button type="primary" onClick={turnOn}>
            {say('turn-on')}
          </Button>
        ) : (
          <>
            <Button onClick={() => setAsked('new-device')}>{say('new-device')}</Button>
            <Button onClick={() => setAsked('new-codes')}>{say('new-codes')}</Button>
            <Button danger disabled={data.isAskedOfAll || data.demandedBy.length > 0} onClick={() => setAsked('off')}>
              {say('turn-off')}
            </Button>
          </>
        )}
      </Space>
      {asked && <ProveModal asked={asked} onProven={done[asked]} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function State({ state: { since, codesLeft, codesVoidAt, demandedBy, isAskedOfAll } }: { state: FactorState }) {
  const say = useTexts<typeof locale>(SCREEN.name)
  return (
    <>
      <p>
        <StateTag tone={since === null ? 'idle' : 'done'}>{say(since === null ? 'off' : 'on')}</StateTag>
      </p>
      {since !== null && (
        <dl className="center-facts">
          <dt>{say('since')}</dt>
          <dd>
            <Instant at={since} />
          </dd>
          <dt>{say('codes-left')}</dt>
          <dd>{codesLeft}</dd>
        </dl>
      )}
      {(isAskedOfAll || demandedBy.length > 0) && (
        <Alert
          className="center-note"
          type="info"
          showIcon
          title={isAskedOfAll ? say('asked-of-all') : say('demanded-by', { roles: demandedBy.join(', ') })}
        />
      )}
      {since !== null && codesLeft <= FEW_CODES && (
        <Alert
          className="center-note"
          type="warning"
          showIcon
          title={
            codesVoidAt === null ? say('few-codes') : say('void-codes', { at: formatInstant(new Date(codesVoidAt)) })
          }
        />
      )}
    </>
  )
}
