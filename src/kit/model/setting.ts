import { formatFen } from './money.ts'
import { type Refusal, refuse } from './refusal.ts'

/** What a figure counts: it is typed, bounded and read by this. A switch counts nothing: 1 is on. */
export const UNITS = ['days', 'percent', 'fen', 'coins', 'coupons', 'hour', 'switch'] as const
export type Unit = (typeof UNITS)[number]

/** A number of the business that people change while the console runs. */
export type Setting = {
  readonly unit: Unit
  readonly min: number
  readonly max: number
  readonly default: number
  /** Decides how much leaves the house, or who has to agree to it: a change waits for a second person. */
  readonly money: boolean
  /** What it was called in the environment, before there were settings: taken over once, at the upgrade. */
  readonly formerly?: string
}

/** The settings of one group, by name. Texts of the slice: `settings` (the group), `setting.<name>` and `setting.<name>.help`. */
export type Settings<Name extends string = string> = {
  readonly group: string
  readonly keys: Readonly<Record<Name, Setting>>
}

/** What is in force of a group. */
export type ValuesOf<S extends Settings> = { readonly [Name in keyof S['keys']]: number }

export const whole = (setting: Omit<Setting, 'money'> & { readonly money?: boolean }): Setting => ({
  money: false,
  ...setting,
})

/** Something that is on or off. */
export const onOff = (setting: { readonly default: 'on' | 'off'; readonly money?: boolean }): Setting =>
  whole({ ...setting, unit: 'switch', min: 0, max: 1, default: setting.default === 'on' ? 1 : 0 })

/** Declared in a slice's settings.model.ts; a default outside its own bounds is a mistake, found at start. */
export function defineSettings<const Name extends string>(declared: Settings<Name>): Settings<Name> {
  for (const [name, setting] of Object.entries<Setting>(declared.keys))
    if (whyNotValue(setting, setting.default))
      throw new Error(`${declared.group}.${name}: its default is out of bounds`)
  return declared
}

/** One setting with its place: `refund.windowDays` of the slice whose locale names it. */
export type DeclaredSetting = Setting & {
  readonly key: string
  readonly group: string
  readonly name: string
  readonly slice: string
}

export const keyIn = (group: string, name: string): string => `${group}.${name}`

/** Why a value cannot be set, or nothing: asked of what is typed, what is stored and what the environment said. */
export function whyNotValue({ unit, min, max }: Setting, value: unknown): Refusal | undefined {
  const figure = (bound: number) => (unit === 'fen' ? formatFen(bound) : bound)
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return refuse('kit:field-no-number')
  if (value < min) return refuse('kit:field-too-small', { min: figure(min) })
  if (value > max) return refuse('kit:field-too-big', { max: figure(max) })
}

/** What holds before anybody has changed anything. */
export const defaultsOf = <S extends Settings>({ keys }: S): ValuesOf<S> =>
  Object.fromEntries(Object.entries(keys).map(([name, setting]) => [name, setting.default])) as ValuesOf<S>
