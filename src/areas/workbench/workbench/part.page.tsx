import { Button, Skeleton } from 'antd'
import type { CSSProperties, ReactNode } from 'react'
import { useTab } from '#kit/page/tab.ts'
import { area } from '../area.ts'

export const NAME = area.screens.workbench.name

/** A part of the workbench under its heading. */
export function Part({ title, tool, children }: { title: string; tool?: ReactNode; children: ReactNode }) {
  return (
    <section className="bench-part" aria-label={title}>
      <div className="bench-title">
        <h2>{title}</h2>
        {tool}
      </div>
      {children}
    </section>
  )
}

/** Where cards will stand. */
export const AwaitedCards = ({ title, columns }: { title: string; columns: number }) => (
  <Part title={title}>
    <div className="bench-cards" style={{ '--columns': columns } as CSSProperties}>
      {Array.from({ length: columns }, (_, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place is nothing but where it is
        <div key={nth} className="bench-card bench-waiting">
          <Skeleton active title={false} paragraph={{ rows: 2 }} />
        </div>
      ))}
    </div>
  </Part>
)

/** A record's name, which opens it where the person may. */
export function RecordLink({ name, path }: { name: string; path: string | null }) {
  const tab = useTab()
  if (path === null) return name
  return (
    <Button type="link" size="small" onClick={() => tab.open(path)}>
      {name}
    </Button>
  )
}
