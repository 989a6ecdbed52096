import * as z from 'zod'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** What is answered to a word: to exactly it, or wherever it stands in what was typed. */
export const replyLine = z.strictObject({
  keyword: z.string().trim().max(50),
  match: z.enum(['EXACT', 'CONTAINS']),
  priority: z.int().min(0).max(99),
  reply: z.string().trim().max(600),
})
export type ReplyLine = z.infer<typeof replyLine>
export const MAX_REPLIES = 100

/** As people type it: in any width and case, with blanks around. */
const plain = (typed: string): string => typed.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** What somebody gets who types this: the highest priority, then the exact word, then the longest, then the first of the list. */
export function replyTo(replies: readonly ReplyLine[], typed: string): ReplyLine | undefined {
  const said = plain(typed)
  const fits = ({ match, keyword }: ReplyLine) =>
    match === 'EXACT' ? said === plain(keyword) : said.includes(plain(keyword))
  return replies
    .filter(line => plain(line.keyword) !== '' && fits(line))
    .toSorted(
      (a, b) =>
        b.priority - a.priority ||
        Number(b.match === 'EXACT') - Number(a.match === 'EXACT') ||
        plain(b.keyword).length - plain(a.keyword).length,
    )[0]
}

type ReplyFault = { readonly at: number; readonly part: keyof ReplyLine; readonly refusal: Refusal }

/** The first line nobody could ever get, or that says nothing. */
export function repliesFault(replies: readonly ReplyLine[]): ReplyFault | undefined {
  const first = new Map<string, number>()
  for (const [at, { keyword, match, reply }] of replies.entries()) {
    if (plain(keyword) === '') return { at, part: 'keyword', refusal: refuse('kit:field-missing') }
    if (reply === '') return { at, part: 'reply', refusal: refuse('kit:field-missing') }
    const key = `${match} ${plain(keyword)}`
    const before = first.get(key)
    if (before !== undefined) return { at, part: 'keyword', refusal: refuse('reply-twice', { number: before + 1 }) }
    first.set(key, at)
  }
}
