import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Skeleton } from 'antd'
import { get, remove } from '#kit/page/call.ts'
import { deviceName } from '#kit/page/field/device.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import { area } from '../area.ts'
import { Center } from '../center.page.tsx'
import type { locale } from './locale.ts'
import type { OwnLogin, OwnSession } from './model.ts'

const SCREEN = area.screens['settings-sessions']

export function Page() {
  const say = useTexts<typeof locale>(SCREEN.name)
  return (
    <Center screen={SCREEN}>
      <Sessions />
      <h3>{say('trace')}</h3>
      <Logins />
    </Center>
  )
}

function Sessions() {
  const say = useTexts<typeof locale>(SCREEN.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const { modal } = App.useApp()
  const notices = useNotices()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: [SCREEN.name, 'open'],
    queryFn: ({ signal }) => get<OwnSession[]>(`/${SCREEN.name}`, { signal }),
  })

  const end = async (id: string) => {
    try {
      await remove(`/${SCREEN.name}/${id}`)
      notices.done(say('ended'))
    } catch (error) {
      notices.failed(error, kit('delete-failed'))
    }
    await client.invalidateQueries({ queryKey: [SCREEN.name] })
  }
  const ask = (id: string) =>
    modal.confirm({
      title: say('end'),
      content: say('ask.end'),
      okText: say('end'),
      okType: 'danger',
      cancelText: kit('cancel'),
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => end(id),
    })

  if (!data) return <Skeleton active title={false} />
  return (
    <ul className="center-rows">
      {data.map(({ id, device, address, since, activeAt, current }) => (
        <li key={id}>
          <div>
            {deviceName(device)}
            <small>
              {address} · {say('field.since')} <Instant at={since} /> · {say('field.activeAt')}{' '}
              <Instant at={activeAt} />
            </small>
          </div>
          {current ? (
            <StateTag tone="done">{say('current')}</StateTag>
          ) : (
            <Button onClick={() => ask(id)}>{say('end')}</Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Logins() {
  const say = useTexts<typeof locale>(SCREEN.name)
  const { data } = useQuery({
    queryKey: [SCREEN.name, 'logins'],
    queryFn: ({ signal }) => get<OwnLogin[]>(`/${SCREEN.name}/logins`, { signal }),
  })
  if (!data) return <Skeleton active title={false} />
  return (
    <ul className="center-rows">
      {data.map(({ id, at, device, address, result }) => (
        <li key={id}>
          <div>
            <Instant at={at} />
            <small>
              {deviceName(device)} · {address}
            </small>
          </div>
          <StateTag tone={result === 'SUCCESS' ? 'done' : 'failed'}>{say(`result.${result}`)}</StateTag>
        </li>
      ))}
    </ul>
  )
}
