/** A screen's place in the menu: the route and the permission key are the contract's (spec §2). */
export type Screen = {
  /** `area/screen`: folder of the slice, address below /api, namespace of its texts. */
  readonly name: string
  readonly route: string
  /** Permission key; none for screens every signed-in person has (workbench, personal centre). */
  readonly key: string | null
  /** Not in the menu: reached from another screen. */
  readonly hidden: boolean
  /** Whether a tab keeps its state while another one is shown. */
  readonly keepAlive: boolean
  /** Further addresses of the same screen. */
  readonly aliases: readonly string[]
  /** Shows some records of its table, in some states: nothing leads here that may have gone on. */
  readonly partial: boolean
  /** Whether it shows records, each with an address below its route; a statistic counts those of others. */
  readonly records: boolean
}

type ScreenPlace = {
  route: string
  key: string | null
  hidden?: boolean
  keepAlive?: boolean
  aliases?: readonly string[]
  partial?: boolean
  records?: false
}

export type Area = {
  readonly name: string
  /** Permission key of the menu group; none where the group is everybody's. */
  readonly key: string | null
  readonly icon: string
  /** Position in the side menu. */
  readonly order: number
  readonly dependsOn: readonly string[]
  readonly screens: Readonly<Record<string, Screen>>
}

/** Whether a screen has a key, and which, is known where it is named: what is asked of a caller is never nothing by mistake. */
type Placed<Screens extends Record<string, ScreenPlace>> = {
  readonly [K in keyof Screens]: Screen & { readonly key: Screens[K]['key'] }
}

/** Screens stand in menu order. Menu, guard, routes, permission rows, docs and tests are derived from this. */
export function defineArea<const Name extends string, const Screens extends Record<string, ScreenPlace>>(area: {
  name: Name
  key: string | null
  icon: string
  order: number
  dependsOn?: readonly string[]
  screens: Screens
}): Area & { readonly screens: Placed<Screens> } {
  const screens = Object.fromEntries(
    Object.entries(area.screens).map(([name, place]) => [
      name,
      {
        name: `${area.name}/${name}`,
        hidden: false,
        keepAlive: true,
        aliases: [],
        partial: false,
        records: true,
        ...place,
      } satisfies Screen,
    ]),
  )
  return { ...area, dependsOn: area.dependsOn ?? [], screens: screens as Placed<Screens> }
}
