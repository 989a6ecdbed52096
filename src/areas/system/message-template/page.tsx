import { wide } from '#kit/page/form/inputs.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { type MessageTemplate, resource, workflow } from './model.ts'

const BodyInput = later(async () => (await import('./body-input.page.tsx')).BodyInput)
const VariablesInput = later(async () => (await import('./variables-input.page.tsx')).VariablesInput)
const Said = later(async () => (await import('./said.page.tsx')).Said)
const Variables = later(async () => (await import('./said.page.tsx')).Variables)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      isShown={(field, values) => field !== 'providerCode' || values.channel === 'SMS'}
      inputs={{ body: wide(() => <BodyInput />), variables: wide(() => <VariablesInput />) }}
      shows={{
        body: (row: MessageTemplate) => <Said row={row} />,
        variables: (row: MessageTemplate) => <Variables variables={row.variables} />,
      }}
    />
  )
}
