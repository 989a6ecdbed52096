import { lazy } from 'react'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { type RuleScript, resource, workflow } from './model.ts'

const SourceInput = lazy(async () => ({ default: (await import('./source-input.page.tsx')).SourceInput }))

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ source: () => <SourceInput /> }}
      shows={{ source: (script: RuleScript) => <Source text={script.source} /> }}
    />
  )
}

/** Lines as they were written; a long one is scrolled to, not broken. */
const Source = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard too.
  <pre tabIndex={0} style={{ margin: 0, maxHeight: 360, overflow: 'auto', fontFamily: 'monospace' }}>
    {text}
  </pre>
)
