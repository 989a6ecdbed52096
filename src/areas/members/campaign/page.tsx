import { lazy } from 'react'
import { wide } from '#kit/page/form/inputs.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { type Campaign, resource, workflow } from './model.ts'

const TemplateInput = lazy(async () => ({ default: (await import('./writing.page.tsx')).TemplateInput }))
const FilledInput = lazy(async () => ({ default: (await import('./writing.page.tsx')).FilledInput }))
const RecipientsInput = lazy(async () => ({ default: (await import('./recipients.page.tsx')).RecipientsInput }))

const OF_FILTER: ReadonlySet<string> = new Set(['levels', 'channels', 'tags', 'ofOwnerId'])

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{
        templateId: () => <TemplateInput />,
        filled: wide(() => <FilledInput />),
        numbers: wide(() => <RecipientsInput />),
      }}
      isShown={(field, { audienceBy, templateId }) => {
        if (OF_FILTER.has(field)) return audienceBy === 'FILTER'
        if (field === 'numbers') return audienceBy !== undefined
        return field !== 'filled' || templateId !== undefined
      }}
      isUnderWay={({ status }) => status === 'SENDING'}
      shows={{
        body: ({ body }: Campaign) => (
          <p style={{ whiteSpace: 'pre-wrap', margin: 0, overflowWrap: 'anywhere' }}>{body}</p>
        ),
        filled: ({ filled }: Campaign) => filled.map(({ name, value }) => `${name}: ${value}`).join(', '),
      }}
    />
  )
}
