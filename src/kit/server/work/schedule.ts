import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { App } from '../app.ts'
import { run, type Tx } from '../database/database.ts'
import type { DeclaredJob } from './job.ts'
import { type Claimed, type Claiming, claimAsked, claimDue, closeLost, pullBack } from './schedule-claim.ts'
import { perform } from './schedule-run.ts'

const LOOK_MS = 1_000
/** A run that has shown no life for this long may be dead; whether it is, the place it holds tells. */
const SILENT_SECONDS = 2.5
/** What a clock may be corrected by without anybody noticing. */
const SLACK_MS = 2_000
/** Runs under way on one instance: people's changes need connections too. */
const PLACES = 3

export type Schedule = {
  /** From now on what is due runs by itself, on whichever instance is free. */
  begin(): void
  /** Looks for what is due at once, and again when something of it has ended; done when nothing is left to do. For tests. */
  settle(): Promise<void>
  stop(): Promise<void>
}

type Found = { readonly kind: 'LOST' | 'ASKED' | 'DUE'; readonly id: string }

/** Runs what is due until it is stopped: before it has begun, only when it is told to look. */
export function keepSchedule(app: App, jobs: ReadonlyMap<string, DeclaredJob>): Schedule {
  const scheduler = new Scheduler(app, jobs)
  let timer: NodeJS.Timeout | undefined
  return {
    begin() {
      timer ??= setInterval(() => scheduler.wake(), LOOK_MS).unref()
      app.signals.on('jobs', () => scheduler.wake())
    },
    settle: () => scheduler.settle(),
    stop() {
      clearInterval(timer)
      return scheduler.close()
    },
  }
}

class Scheduler {
  private readonly closing = new AbortController()
  private readonly instance = `${hostname().slice(0, 60)} ${process.pid} ${randomUUID().slice(0, 4)}`
  private readonly underWay = new Set<Promise<void>>()
  private looking: Promise<void> | undefined
  private again = false
  /** Before the first look nobody knows what the clock said when the console last ran. */
  private lastNow = Number.POSITIVE_INFINITY
  private readonly app: App
  private readonly jobs: ReadonlyMap<string, DeclaredJob>

  constructor(app: App, jobs: ReadonlyMap<string, DeclaredJob>) {
    this.app = app
    this.jobs = jobs
  }

  wake(): void {
    this.again = true
    this.looking ??= this.look().finally(() => {
      this.looking = undefined
    })
  }

  async settle(): Promise<void> {
    do {
      this.wake()
      await this.looking
      await Promise.all(this.underWay)
    } while (this.underWay.size > 0 || this.looking)
  }

  async close(): Promise<void> {
    this.closing.abort()
    await this.looking
    await Promise.all(this.underWay)
  }

  private async look(): Promise<void> {
    while (this.again && !this.closing.signal.aborted) {
      this.again = false
      try {
        await this.lookOnce()
      } catch (error) {
        this.app.log.warn({ err: error }, 'jobs could not be looked for')
        return
      }
    }
  }

  private async lookOnce(): Promise<void> {
    const now = this.app.clock.now()
    const claiming = { now, instance: this.instance }
    if (now.getTime() < this.lastNow - SLACK_MS) await this.app.db.write(tx => pullBack(tx, claiming))
    this.lastNow = now.getTime()
    for (const found of await this.find(now)) {
      if (this.closing.signal.aborted) return
      if (found.kind === 'LOST') await this.app.db.write(tx => closeLost(tx, found.id, claiming))
      else if (this.underWay.size < PLACES) this.begin(await this.claim(found, claiming))
    }
  }

  /** What there is to do, in one question: it is asked every second. */
  private async find(now: Date): Promise<Found[]> {
    return (await run(
      this.app.db.query,
      `select 'LOST' as kind, id, null as at from schedule_run
         where status = 'RUNNING' and heartbeat_at < clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})
       union all select 'ASKED', r.id, r.asked_at from schedule_run r join schedule_job j on j.id = r.job_id
         where r.status = 'WAITING' and j.handler = any($2::text[])
       union all select 'DUE', id, next_due_at from schedule_job
         where status = 'ENABLED' and handler = any($2::text[]) and (next_due_at is null or next_due_at <= $1)
       order by at nulls first`,
      [now, [...this.jobs.keys()]],
    )) as Found[]
  }

  private claim({ kind, id }: Found, claiming: Claiming): Promise<Claimed | undefined> {
    const take = (tx: Tx) => (kind === 'DUE' ? claimDue(tx, id, claiming) : claimAsked(tx, id, claiming))
    return this.app.db.write(take)
  }

  private begin(claimed: Claimed | undefined): void {
    const job = claimed && this.jobs.get(claimed.handler)
    if (!job) return
    const running = perform(this.app, job, claimed, this.closing.signal).finally(() => {
      this.underWay.delete(running)
      // The next due time of the same job may have come meanwhile, and a place is free.
      this.wake()
    })
    this.underWay.add(running)
  }
}
