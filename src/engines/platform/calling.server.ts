import { AskAgain } from '#kit/server/change/outbox.ts'
import { readLongJson } from './told.server.ts'

/** Shorter than the lease of a call to the outside: nobody else makes it meanwhile. */
const TIMEOUT_MS = 15_000
/** A token is renewed a while before it runs out. */
const SPARE_MS = 300_000

/** Asks a platform; silence, and servers of theirs that break, decide nothing: it is asked again, under the same number. */
export async function ask(url: URL, init: RequestInit): Promise<unknown> {
  let text: string
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS), ...init })
    if (answer.status >= 500) throw new AskAgain(`${url.host} answers ${answer.status}`)
    text = await answer.text()
  } catch (error) {
    if (error instanceof AskAgain) throw error
    throw new AskAgain(`not reached: ${error instanceof Error ? error.message : String(error)}`)
  }
  try {
    return readLongJson(text)
  } catch {
    throw new AskAgain(`${url.host} answers nothing that can be read`)
  }
}

export const asJson = (body: object, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

type Token = { readonly text: string; readonly until: number }
/** One token is for all callers: some platforms make the old one void before long once they give a new one. */
const tokens = new Map<string, Token>()

/** The token by this name, asked for where there is none or it runs out. */
export async function tokenOf(
  name: string,
  now: number,
  fetchIt: () => Promise<{ text: string; seconds: number }>,
): Promise<string> {
  const known = tokens.get(name)
  if (known && known.until > now) return known.text
  const { text, seconds } = await fetchIt()
  tokens.set(name, { text, until: now + seconds * 1_000 - SPARE_MS })
  return text
}

export const dropToken = (name: string): boolean => tokens.delete(name)
