declare module 'autocannon' {
  type Options = {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly headers: Readonly<Record<string, string>>
    readonly verifyBody: (body: string) => boolean
  }
  type Result = {
    /** Seconds it really took. */
    readonly duration: number
    readonly errors: number
    readonly timeouts: number
    readonly non2xx: number
    readonly mismatches: number
    readonly '2xx': number
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number }
  }
  const autocannon: (options: Options) => Promise<Result>
  export = autocannon
}
