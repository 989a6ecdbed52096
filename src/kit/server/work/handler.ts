import type { Setting } from '#kit/model/setting.ts'

/** What becomes of due times nobody was there for: they are left out and counted, or made up for by one run. */
type Misfire = 'SKIP' | 'RUN_ONCE'

/** What the code says of work it repeats by the calendar. */
export type Handler<Name extends string = string> = {
  /** Unique over all slices. */
  readonly name: string
  /** Whose texts name it: `job.<name>`, `job.<name>.help`, and `job.<name>.<parameter>` for each of its parameters. */
  readonly texts: string
  /** When it is due until somebody says otherwise (`kit/model/cron.ts`). */
  readonly cron: string
  readonly misfire: Misfire
  /** What people may set. */
  readonly parameters?: Readonly<Record<Name, Setting>>
}

export type Handlers = ReadonlyMap<string, Handler>
