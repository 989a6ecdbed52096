import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Skeleton, Switch } from 'antd'
import { useId } from 'react'
import { get, put } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { keep } from '#kit/page/preference.ts'
import { area } from '../area.ts'
import { Center } from '../center.page.tsx'
import type { locale } from './locale.ts'
import type { Notifications } from './model.ts'

const SCREEN = area.screens['settings-notifications']
type Kind = Notifications['muted'][number]

/** Which pushes pop up. A switch acts at once; on failure it goes back. */
export function Page() {
  const say = useTexts<typeof locale>(SCREEN.name)
  const live = useTexts('kit/page/shell/live')
  const notices = useNotices()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: [SCREEN.name],
    queryFn: ({ signal }) => get<Notifications>(`/${SCREEN.name}`, { signal }),
  })

  const show = (answer: Notifications) => {
    client.setQueryData([SCREEN.name], answer)
    keep('mutedPushes', answer.muted)
  }
  const change = async (before: Notifications, wanted: Omit<Notifications, 'offered'>) => {
    show({ ...before, ...wanted })
    try {
      show(await put<Notifications>(`/${SCREEN.name}`, wanted))
    } catch (error) {
      show(before)
      notices.failed(error, say('load-failed'))
    }
  }
  const choose = (before: Notifications, type: Kind, isWanted: boolean) => {
    const { muted, mailDecisions } = before
    const others = muted.filter(kind => kind !== type)
    return change(before, { muted: isWanted ? others : [...others, type], mailDecisions })
  }
  return (
    <Center screen={SCREEN}>
      <p className="center-quiet">{say(data?.offered.length === 0 ? 'empty' : 'help')}</p>
      {!data && <Skeleton active title={false} />}
      <ul className="center-rows">
        {data?.offered.map(type => (
          <ChoiceRow
            key={type}
            label={live(`push.${type}`)}
            isOn={!data.muted.includes(type)}
            onChange={isWanted => void choose(data, type, isWanted)}
          />
        ))}
      </ul>
      {data && (
        <ul className="center-rows">
          <ChoiceRow
            label={say('mail-decisions')}
            isOn={data.mailDecisions}
            onChange={mailDecisions => void change(data, { muted: data.muted, mailDecisions })}
          />
        </ul>
      )}
    </Center>
  )
}

function ChoiceRow({ label, isOn, onChange }: { label: string; isOn: boolean; onChange(isWanted: boolean): void }) {
  const id = useId()
  return (
    <li>
      <label htmlFor={id}>{label}</label>
      <Switch id={id} checked={isOn} onChange={onChange} />
    </li>
  )
}
