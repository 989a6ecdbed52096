import { theme } from 'antd'
import type { CSSProperties, ReactNode } from 'react'
import type { Tone } from '#kit/model/field.ts'
import { mix, readableOn } from './shell/look/colour.ts'

/** One palette for states everywhere; the word always stands beside the colour. */
export function useToneColours(): Readonly<Record<Tone, { text: string; fill: string }>> {
  const { token } = theme.useToken()
  return {
    idle: { text: token.colorTextSecondary, fill: token.colorFillSecondary },
    busy: { text: token.blue7, fill: token.blue1 },
    attention: { text: token.orange8, fill: token.orange1 },
    done: { text: token.green8, fill: token.green1 },
    failed: { text: token.red8, fill: token.red1 },
    special: { text: token.purple8, fill: token.purple1 },
  }
}

export function StateTag({ tone, children }: { tone: Tone; children: string }) {
  const { text, fill } = useToneColours()[tone]
  return <Patch style={{ color: text, background: fill }}>{children}</Patch>
}

/** A few words on a patch of colour. */
const Patch = ({ style, children }: { style: CSSProperties; children: ReactNode }) => (
  <span className="inkstone-patch" style={style}>
    {children}
  </span>
)

export function ToneDot({ tone, title }: { tone: Tone; title: string }) {
  const { text } = useToneColours()[tone]
  return (
    <span
      role="img"
      aria-label={title}
      title={title}
      style={{ display: 'inline-block', width: 7, height: 7, borderRadius: 4, background: text, flex: 'none' }}
    />
  )
}

const TINT = 0.12

/** A tag in a colour somebody chose: on a breath of it, in its nearest shade that can be read there (WCAG AA). */
export function ColourTag({ colour, children }: { colour: string | null; children: ReactNode }) {
  const { token } = theme.useToken()
  if (colour === null) return <Patch style={{ background: token.colorFillSecondary }}>{children}</Patch>
  const background = mix(token.colorBgContainer, colour, TINT)
  return <Patch style={{ background, color: readableOn([background], colour) }}>{children}</Patch>
}
