/** "Chrome 142 · Windows" out of what a browser says of itself; as it came when we cannot read it. */
export function deviceName(agent: string): string {
  const browser = /(Edg|OPR|Chrome|Firefox|Version)\/(\d+)/.exec(agent)
  const system = /Windows|Mac OS X|Android|iPhone|iPad|Linux/.exec(agent)?.[0]
  if (!browser || !system) return agent.slice(0, 60) || '–'
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' }
  // Edge and Opera call themselves Chrome too, before their own name.
  const [, brand = '', version = ''] = /(Edg|OPR)\/(\d+)/.exec(agent) ?? browser
  return `${names[brand] ?? brand} ${version} · ${system === 'Mac OS X' ? 'macOS' : system}`
}
