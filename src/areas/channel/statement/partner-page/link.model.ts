import { type Refusal, refuse } from '#kit/model/refusal.ts'

const MINUTE_MS = 60_000
export const CODE_DIGITS = 6
/** How long a code is good for, how often one may be tried, how soon another is sent, and how many a link is good for. */
export const CODE_MINUTES = 10
export const MOST_TRIES = 5
const NEXT_CODE_SECONDS = 60
export const MOST_CODES = 10

/** A link as it stands, with the code that was sent by it last. */
export type Link = {
  readonly expiresAt: Date
  readonly isEnded: boolean
  readonly codes: number
  readonly tries: number
  /** The code that may be entered now: when it was sent, and what exactly it agrees to. Nothing once it was used. */
  readonly code: { readonly at: Date; readonly of: string } | null
}

/** The statement as it stands: how far it is, and what it says in one word. */
export type Standing = { readonly isDraft: boolean; readonly digest: string }

/** Why a link shows nothing any more. */
export function whyNotShown({ expiresAt, isEnded }: Link, now: Date): Refusal | undefined {
  if (isEnded) return refuse('link-replaced')
  return expiresAt <= now ? refuse('link-over') : undefined
}

/** What nobody can agree to: it was agreed to already, or it is not what the page showed. `seen` is what that said. */
function whyNotThis(standing: Standing, seen: string): Refusal | undefined {
  if (!standing.isDraft) return refuse('already-confirmed')
  return standing.digest === seen ? undefined : refuse('changed-since')
}

/** Whether somebody is to enter a code now. */
export const isCodeOpen = ({ code, tries }: Link, digest: string, now: Date): boolean =>
  code !== null &&
  code.of === digest &&
  tries < MOST_TRIES &&
  now.getTime() - code.at.getTime() < CODE_MINUTES * MINUTE_MS

export function whyNoCode(link: Link, standing: Standing, seen: string, now: Date): Refusal | undefined {
  const refusal = whyNotShown(link, now) ?? whyNotThis(standing, seen)
  if (refusal) return refusal
  if (link.codes >= MOST_CODES) return refuse('codes-used-up')
  const waited = link.code ? now.getTime() - link.code.at.getTime() : Number.POSITIVE_INFINITY
  if (waited < NEXT_CODE_SECONDS * 1_000)
    return refuse('code-lately', { seconds: Math.ceil(NEXT_CODE_SECONDS - waited / 1_000) })
}

/** Which page of lines an address asks for: the first, where what it says is no number of a page. */
export const pageAsked = (typed: string | undefined): number => (typed && /^[1-9]\d*$/.test(typed) ? Number(typed) : 1)

type Entered = { readonly seen: string; readonly isRight: boolean }

/** A code is good for what its page showed, for some minutes and some tries, and once. */
export function whyNotConfirmed(
  link: Link,
  standing: Standing,
  { seen, isRight }: Entered,
  now: Date,
): Refusal | undefined {
  const refusal = whyNotShown(link, now) ?? whyNotThis(standing, seen)
  if (refusal) return refusal
  if (link.code === null) return refuse('code-missing')
  if (link.code.of !== standing.digest) return refuse('changed-since')
  if (link.tries >= MOST_TRIES) return refuse('code-used-up')
  if (!isCodeOpen(link, standing.digest, now)) return refuse('code-over')
  if (!isRight) return refuse('code-wrong', { left: MOST_TRIES - link.tries - 1 })
}
