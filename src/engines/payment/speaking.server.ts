import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { AskAgain } from '#kit/server/change/outbox.ts'

/** What the adapters need of `fetch`. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<Said>
export type Said = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}
export type Spoken = { readonly status: number; readonly headers: Said['headers']; readonly text: string }

/** Shorter than the lease of a call to the outside: nobody else makes it meanwhile. */
const TIMEOUT_MS = 20_000

/** Looked up when it is used: what speaks to the outside can be exchanged as long as nothing was said. */
export const outside: Fetch = (url, init) => fetch(url, init)

/** Speaks to a provider. Silence decides nothing: it is asked again, under the same number. */
export async function speak(say: Fetch, url: string, headers: Record<string, string>, body: string): Promise<Spoken> {
  try {
    const said = await say(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { status: said.status, headers: said.headers, text: await said.text() }
  } catch (error) {
    throw new AskAgain(`not reached: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A key as consoles of providers hand it out: PEM, also on one line, or bare base64. */
export const readPrivateKey = (text: string): KeyObject =>
  isPem(text)
    ? createPrivateKey(unfolded(text))
    : either(type => createPrivateKey({ ...der(text), type }), 'pkcs8', 'pkcs1')

/** A public key, or a certificate that holds one. */
export const readPublicKey = (text: string): KeyObject =>
  isPem(text)
    ? createPublicKey(unfolded(text))
    : either(type => createPublicKey({ ...der(text), type }), 'spki', 'pkcs1')

const isPem = (text: string): boolean => text.includes('-----BEGIN')
const unfolded = (text: string): string => text.replaceAll('\\n', '\n')
const der = (text: string) => ({ key: Buffer.from(text, 'base64'), format: 'der' as const })

function either<const T extends string>(read: (type: T) => KeyObject, first: T, second: T): KeyObject {
  try {
    return read(first)
  } catch {
    return read(second)
  }
}
