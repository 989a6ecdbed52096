import { useQuery } from '@tanstack/react-query'
import { Descriptions, Empty, Skeleton } from 'antd'
import { get } from '#kit/page/call.ts'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { StandingLead } from './lead.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** Whose the lead is that somebody asks for, and how far it has come: what the decision is made by. */
type Props = { id: string; isOfLead: boolean; applicantId: string }

export function LeadStanding({ id, isOfLead, applicantId }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const sayOfLead = useTexts('sales/salvage')
  const mayDecide = useUser(user => mayDo(user, resource.screen.key, 'approve') && user.info?.id !== applicantId)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'lead', id],
    queryFn: ({ signal }) => get<{ lead: StandingLead | null }>(`/${resource.screen.name}/${id}/lead`, { signal }),
    enabled: isOfLead && mayDecide,
  })
  if (!isOfLead) return <Empty description={say('not-of-lead')} />
  if (!mayDecide) return <Empty description={say('lead-for-deciders')} />
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  const { lead } = data
  if (!lead) return <Empty description={say('no-lead')} />
  return (
    <Descriptions
      column={1}
      size="small"
      items={[
        { key: 'owner', label: sayOfLead('field.ownerId'), children: lead.owner ?? say('lead-nobodys') },
        {
          key: 'status',
          label: sayOfLead('field.status'),
          children: sayOfLead(`status.${lead.status}`),
        },
        {
          key: 'level',
          label: sayOfLead('field.level'),
          children: lead.level ? sayOfLead(`level.${lead.level}`) : MISSING,
        },
        { key: 'created', label: sayOfLead('field.createdAt'), children: <Instant at={lead.createdAt} /> },
        {
          key: 'contact',
          label: sayOfLead('field.lastContactAt'),
          children: lead.lastContactAt ? <Instant at={lead.lastContactAt} /> : say('never-contacted'),
        },
        { key: 'member', label: say('lead-registered'), children: say(lead.isMember ? 'yes' : 'no') },
      ]}
    />
  )
}
