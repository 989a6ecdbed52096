import * as z from 'zod'
import { text } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { type Gate, requireAttempt } from '#kit/server/access/gate.ts'
import { keyedDigest } from '#kit/server/access/seal.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { type PageAnswer, RedirectAnswer, type Route, route } from '#kit/server/http/route.ts'
import { linkIn, PATH } from '../token.server.ts'
import { confirmByPartner, readLink, sendCode } from './confirming.server.ts'
import { CODE_DIGITS, pageAsked, whyNotShown } from './link.model.ts'
import { refusedPage, shownPage } from './page.server.ts'
import { readShown } from './reading.server.ts'

const TEXTS = 'channel/statement/partner-page'
const LOOKS: Gate = { kind: 'partner-page', limit: 60, windowMs: 60_000 }
const SENDS: Gate = { kind: 'partner-form', limit: 20, windowMs: 60_000 }

/** What a page is refused with, as browsers and whoever watches them are told it. */
const STATUS: Readonly<Record<string, number>> = {
  ...{ 'link-unknown': 404, 'link-over': 410, 'link-replaced': 410 },
  ...{ 'already-confirmed': 409, 'changed-since': 409, 'contact-gone': 409 },
  ...{ 'code-lately': 429, 'codes-used-up': 429, 'code-used-up': 429 },
}

const statusOf = ({ code }: Refusal): number => STATUS[code] ?? 422

const params = z.strictObject({ token: z.string().max(100) })
const seen = z.string().regex(/^[0-9a-f]{64}$/)
const shared = { texts: TEXTS, access: 'public', params, answer: 'page' } as const

/** Where a partner looks at its own statement and agrees to it: a plain page of each, without a session. */
export const partnerRoutes = (app: App): Route[] => [
  route({
    ...shared,
    method: 'GET',
    path: `${PATH}/:token`,
    // Mail and chat apps add words of their own.
    query: z.looseObject({ page: z.string().max(6).optional() }),
    summary: "A partner's own statement, by a signed link, as a page without scripts. Changes nothing.",
    async handle(call, { params: { token }, query: { page } }) {
      await admit(app, LOOKS, call)
      return show(app, call, { token, page: pageAsked(page), at: 'page' })
    },
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${PATH}/:token/code`,
    body: z.strictObject({ seen }),
    summary: "Sends a code for confirming the statement to the partner's contact, for what the page showed.",
    async handle(call, { params: { token }, body }) {
      await admit(app, SENDS, call)
      const linkId = linkIn(app, token)
      const refusal = linkId === undefined ? undefined : await sendCode(app, call, linkId, body.seen)
      return answer(app, call, token, refusal)
    },
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${PATH}/:token/confirm`,
    body: z.strictObject({ seen, code: z.string().max(20), name: z.string().max(200) }),
    summary: 'Confirms the statement as the page showed it, with the code the contact was sent.',
    async handle(call, { params: { token }, body }) {
      await admit(app, SENDS, call)
      const linkId = linkIn(app, token)
      const entered = readForm(body)
      if ('refusal' in entered) return answer(app, call, token, entered.refusal)
      const agreed = { seen: body.seen, ...entered }
      const refusal = linkId === undefined ? undefined : await confirmByPartner(app, call, linkId, agreed)
      return answer(app, call, token, refusal)
    },
  }),
]

/** One line, without what nobody sees, as names are everywhere. */
const nameLine = text(50)
type Form = { readonly code: string; readonly name: string }

/** What was entered, as it is read; or what the form itself asks for, said on its page and not counted as a try. */
function readForm(form: Form): Form | { readonly refusal: Refusal } {
  const name = nameLine.safeParse(form.name)
  if (!name.success) return { refusal: refuse('name-missing') }
  const code = digitsOf(form.code)
  return code.length === CODE_DIGITS
    ? { name: name.data, code }
    : { refusal: refuse('code-short', { digits: CODE_DIGITS }) }
}

/** As people copy it, with spaces or full-width. */
const digitsOf = (code: string): string => code.normalize('NFKC').replace(/\D/g, '')

async function admit(app: App, gate: Gate, { address, now }: Call<'public'>): Promise<void> {
  await requireAttempt(app.db.query, gate, keyedDigest(app.env, gate.kind, address).toString('hex'), now)
}

/** Done, whoever sent the form is led back to the page, which then shows what stands; refused, the page says why above it. */
const answer = (app: App, call: Call<'public'>, token: string, refusal: Refusal | undefined) =>
  refusal === undefined && linkIn(app, token) !== undefined
    ? new RedirectAnswer(`../${token}`)
    : show(app, call, { token, page: 1, at: 'form', ...(refusal ? { refusal } : {}) })

type Asked = {
  readonly token: string
  readonly page: number
  readonly at: 'page' | 'form'
  readonly refusal?: Refusal
}

async function show(app: App, call: Call<'public'>, asked: Asked): Promise<PageAnswer> {
  const linkId = linkIn(app, asked.token)
  const link = linkId === undefined ? undefined : await readLink(app.db.query, linkId)
  const say = (key: string, more?: Refusal['params']) => app.texts.text(call.language, TEXTS, key, more)
  const closed = (refusal: Refusal) => refusedPage(call.language, say, refusal, statusOf(refusal))
  if (!link) return closed(refuse('link-unknown'))
  const over = whyNotShown(link, call.now)
  if (over) return closed(over)
  const shown = await readShown(app, link.statementId, asked.page)
  const entry = (key: string) => app.texts.text(call.language, 'channel/statement/lines', key)
  const status = asked.refusal ? statusOf(asked.refusal) : 200
  return shownPage({ language: call.language, say, entry, shown, link, now: call.now, ...asked }, status)
}
