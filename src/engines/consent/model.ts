/** What a guardian is asked about, each by itself: pictures, voice and films of the child, showing its works, advertising. */
export const PURPOSES = ['PICTURE', 'VOICE', 'VIDEO', 'DISPLAY', 'MARKETING'] as const
export type Purpose = (typeof PURPOSES)[number]

export type Act = 'GIVEN' | 'WITHDRAWN'

/** What somebody said about purposes, and what shows that it was said. */
export type Said = {
  readonly memberId: string
  /** The number advertising would go to. */
  readonly phone: string
  readonly purposes: readonly Purpose[]
  readonly act: Act
  /** How it was said: a value of CONSENT_WAY. */
  readonly way: string
  readonly saidBy: string
  readonly textVersion: string | null
  readonly evidence: string | null
  readonly happenedAt: Date
}

type Word = { readonly act: Act; readonly happenedAt: Date }

/** Of two words on one purpose the later one counts, in whatever order they arrive; of two of the same moment the no. */
export function outweighs(word: Word, standing: Word | undefined): boolean {
  if (!standing) return true
  const later = word.happenedAt.getTime() - standing.happenedAt.getTime()
  return later > 0 || (later === 0 && (word.act === 'WITHDRAWN' || standing.act === 'GIVEN'))
}

/** What operators let people answer to advertising; in Chinese characters too, and however it is typed. */
const REFUSALS = /^(r|t|td|n|0000|退订|拒收|拒收请回复r)$/

/** Whether an answer to a text message says that its sender wants no more of them. */
export const isOptOut = (answered: string): boolean =>
  REFUSALS.test(
    answered
      .normalize('NFKC')
      .replace(/[\s.。!！]/g, '')
      .toLowerCase(),
  )
