type Wanted = { readonly code: string; readonly parent: string | null }
/** A menu as it is stored: where people see it, and where the code had it when it was last kept in step. */
export type KnownPlace = Wanted & { readonly sort: number; readonly codeSort: number }

/**
 * Where each menu stands among those below the same one, from 1. As long as nobody has put them otherwise, as in the code;
 * else as people put them, and what is new to them comes after the one it follows in the code.
 */
export function placesOf(wanted: readonly Wanted[], known: readonly KnownPlace[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const [parent, siblings] of Map.groupBy(wanted, menu => menu.parent)) {
    const codes = siblings.map(({ code }) => code)
    const stored = known.filter(place => place.parent === parent && codes.includes(place.code))
    const order = isAsInCode(stored) ? codes : withNew(by(stored, 'sort'), codes)
    for (const [at, code] of order.entries()) places.set(code, at + 1)
  }
  return places
}

const by = (places: readonly KnownPlace[], sort: 'sort' | 'codeSort'): string[] =>
  [...places].sort((a, b) => a[sort] - b[sort]).map(({ code }) => code)

const isAsInCode = (stored: readonly KnownPlace[]): boolean =>
  by(stored, 'sort').join() === by(stored, 'codeSort').join()

function withNew(chosen: readonly string[], codes: readonly string[]): string[] {
  const order = [...chosen]
  for (const [at, code] of codes.entries())
    if (!order.includes(code)) order.splice(order.indexOf(codes[at - 1] ?? '') + 1, 0, code)
  return order
}
