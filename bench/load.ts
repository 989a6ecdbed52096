import autocannon from 'autocannon'
import { answerQuestions } from './companion.ts'

export type Load = {
  readonly url: string
  readonly token: string
  readonly connections: number
  readonly seconds: number
}
export type LoadResult = {
  readonly answered: number
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

answerQuestions(async ({ url, token, connections, seconds }: Load): Promise<LoadResult> => {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { authtoken: token },
    // A refusal may be an HTTP 200: only the envelope tells.
    verifyBody: body => body.startsWith('{"code":0'),
  })
  const failed = result.errors + result.timeouts + result.non2xx + result.mismatches
  if (failed > 0) throw new Error(`${failed} of the calls to ${new URL(url).pathname} failed`)
  const answered = result['2xx']
  return { answered, rate: answered / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
})
