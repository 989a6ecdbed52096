import { figure, formatCount } from '#kit/page/figures.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { resource, type UploadFailure, workflow } from './model.ts'

const MEGABYTE = 1_000_000

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{ bytes: ({ bytes }: UploadFailure) => bytes && <span className="inkstone-figure">{sizeOf(bytes)}</span> }}
    />
  )
}

const sizeOf = (bytes: number): string =>
  bytes < MEGABYTE
    ? `${formatCount(Math.ceil(bytes / 1_000))} KB`
    : `${figure(String(Math.round((bytes / MEGABYTE) * 10) / 10))} MB`
