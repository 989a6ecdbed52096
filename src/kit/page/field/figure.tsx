import type { ReactNode } from 'react'
import '../kit.css'

/** Money or a count as it stands anywhere: digits of one width, and never part of it on the next line. */
export const Figure = ({ children }: { children: ReactNode }) => <span className="inkstone-figure">{children}</span>

/** Figures side by side, each below its name: as many in a line as have room. */
export const FigureList = ({ figures }: { figures: readonly (readonly [name: string, figure: ReactNode])[] }) => (
  <dl className="inkstone-figures">
    {figures.map(([name, figure]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Figure>{figure}</Figure>
        </dd>
      </div>
    ))}
  </dl>
)
