import { Descriptions } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { type LeadForm, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{ answers: (form: LeadForm) => <Answers of={form.answers} /> }}
    />
  )
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
