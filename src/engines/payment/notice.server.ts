import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App, Change } from '#kit/server/app.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { FileAnswer, type Route, route } from '#kit/server/http/route.ts'
import type { Notice, ProviderName, RefundNotice } from './provider.server.ts'
import { realProvider } from './providers.server.ts'

type Taking = {
  receive(change: Change, provider: ProviderName, notice: Extract<Notice, { kind: 'paid' }>): Promise<void>
  settle(change: Change, provider: ProviderName, notice: RefundNotice): Promise<void>
}

/** Where a provider tells what it did. It repeats itself until it hears its own word for "taken", and so must we be able to. */
export function noticeRoute(app: App, name: ProviderName, taking: Taking): Route {
  // Opened with the instance, so that keys nobody can read are told at the start.
  realProvider(app, name)
  return route({
    method: 'POST',
    path: `/open/v1/pay/${name.toLowerCase()}/notify`,
    texts: 'engines/payment',
    // Public by design: the signature takes the place of a session.
    access: 'public',
    body: 'raw',
    answer: 'file',
    summary: 'Takes a signed notification of the payment provider, and answers in its own words.',
    async handle(call) {
      const provider = realProvider(app, name)
      if (!provider) throw new Refused(refuse('kit:address-unknown'), 'not-found')
      const headers = Object.fromEntries(SIGNED.map(header => [header, call.header(header)]))
      const notice = provider.readNotice(headers, call.raw.bytes())
      if (notice) {
        await app.db.write(tx => {
          const change = ownChange(app, tx, call.now, `pay:${name}`)
          return notice.kind === 'paid' ? taking.receive(change, name, notice) : taking.settle(change, name, notice)
        })
      }
      const { type, body } = provider.acknowledgement
      return new FileAnswer('notice', type, Buffer.from(body), true)
    },
  })
}

const SIGNED = ['wechatpay-timestamp', 'wechatpay-nonce', 'wechatpay-serial', 'wechatpay-signature'] as const
