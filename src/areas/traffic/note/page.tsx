import { ImportButton } from '#kit/page/import/import-button.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { type Note, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      tools={<ImportButton resource={resource} />}
      shows={{ link: (note: Note) => <Link to={note.link} /> }}
    />
  )
}

function Link({ to }: { to: string | null }) {
  if (to === null) return '–'
  return (
    <a href={to} target="_blank" rel="noreferrer noopener" style={{ wordBreak: 'break-all' }}>
      {to}
    </a>
  )
}
