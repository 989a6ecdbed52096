type Rgb = readonly [red: number, green: number, blue: number]

const parse = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}
const print = (rgb: Rgb): string => `#${rgb.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance as WCAG 2 defines it: 0 is black, 1 is white. */
function luminance(hex: string): number {
  const [red, green, blue] = parse(hex).map(part => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2 contrast of two opaque colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** `share` of the way from one colour to another. */
export const mix = (from: string, to: string, share: number): string => {
  const target = parse(to)
  return print(parse(from).map((part, index) => part + ((target[index] ?? 0) - part) * share) as unknown as Rgb)
}

/** WCAG AA for text of normal size. */
export const READABLE = 4.5
const STEP = 0.02

/** The nearest shade of a colour that can be read on every one of these surfaces; darker on light ones, lighter on dark ones. */
export function readableOn(surfaces: readonly string[], colour: string): string {
  const towards = luminance(surfaces[0] ?? '#ffffff') > 0.4 ? '#000000' : '#ffffff'
  let shade = colour
  for (let share = 0; share <= 1; share += STEP) {
    shade = mix(colour, towards, share)
    if (surfaces.every(surface => contrast(shade, surface) >= READABLE)) break
  }
  return shade
}
