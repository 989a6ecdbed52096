import { lazy } from 'react'
import { isPartShown } from '#engines/audience/model.ts'
import { wide } from '#kit/page/form/inputs.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { type Campaign, resource, workflow } from './model.ts'

const TemplateInput = lazy(async () => ({ default: (await import('./writing.page.tsx')).TemplateInput }))
const FilledInput = lazy(async () => ({ default: (await import('./writing.page.tsx')).FilledInput }))
const RecipientsInput = lazy(async () => ({ default: (await import('./recipients.page.tsx')).RecipientsInput }))

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
      isShown={(field, { audienceBy, templateId }) =>
        isPartShown(field, audienceBy) && (field !== 'filled' || templateId !== undefined)
      }
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
