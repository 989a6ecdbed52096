import type { ReactNode } from 'react'
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
