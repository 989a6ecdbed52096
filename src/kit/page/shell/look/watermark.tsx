import { useMemo } from 'react'
import { useSettings } from '../../settings.ts'

const WIDTH = 300
const HEIGHT = 200

/** Who looked at this screen, faintly over everything, drawers included: a photograph of it tells. */
export function Watermark({ text }: { text: string }) {
  const dark = useSettings(settings => settings.dark)
  const image = useMemo(
    () => `url("data:image/svg+xml,${encodeURIComponent(drawing(text, dark ? '#fff' : '#000'))}")`,
    [text, dark],
  )
  return <div className="ink-watermark" aria-hidden="true" style={{ backgroundImage: image }} />
}

const drawing = (text: string, colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><text x="20" y="120" fill="${colour}" fill-opacity="0.05" font-size="13" font-family="sans-serif" transform="rotate(-20 20 120)">${escaped(text)}</text></svg>`

const escaped = (text: string): string => text.replace(/[<>&"']/g, sign => `&#${sign.charCodeAt(0)};`)
