/** By the name a browser carries for itself: Edge and Opera call themselves Chrome too, and most of them Safari. */
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/Edg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/Version\/(\d+)/, 'Safari'],
]
/** Android says that it is a Linux, and an iPhone that it is like a Mac. */
const SYSTEMS: readonly (readonly [sign: string, name: string])[] = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
]

/** "Chrome 142 · Windows" out of what a browser says of itself; as it came when we cannot read it. */
export function deviceName(agent: string): string {
  const browser = BROWSERS.find(([sign]) => sign.test(agent))
  const system = SYSTEMS.find(([sign]) => agent.includes(sign))
  if (!browser || !system) return agent.slice(0, 60) || '–'
  return `${browser[1]} ${browser[0].exec(agent)?.[1]} · ${system[1]}`
}
