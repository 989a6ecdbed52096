import { Descriptions } from 'antd'
import { use } from 'react'
import { RecordLinkContext } from '#kit/page/field/record-link.ts'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { type LeadForm, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        leadId: ({ leadId }: LeadForm) => <LeadLink id={leadId} />,
        answers: (form: LeadForm) => <Answers of={form.answers} />,
      }}
    />
  )
}

/** Where it is followed up, for whoever may look there. */
function LeadLink({ id }: { id: LeadForm['leadId'] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const linkTo = use(RecordLinkContext)
  const path = id === null ? undefined : linkTo('lead', id)
  return path === undefined ? MISSING : <a href={`#${path}`}>{say('open-lead')}</a>
}

/** What was asked and answered, in the order of the form. */
function Answers({ of: answers }: { of: LeadForm['answers'] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (answers.length === 0) return say('no-answers')
  return (
    <Descriptions
      column={1}
      size="small"
      items={answers.map(({ question, answer }, nth) => ({ key: nth, label: question, children: answer }))}
    />
  )
}
