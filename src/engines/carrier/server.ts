import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { FileAnswer, type Routes, route } from '#kit/server/http/route.ts'
import { kuaidi100 } from './kuaidi100.server.ts'
import type { Carrier, Push } from './port.server.ts'
import { simulatedCarrier } from './simulator.server.ts'

/** Who tells where parcels are: the tracking service once its keys are set, until then the simulator. */
export function openCarrier({ env, clock }: Pick<App, 'env' | 'clock'>): Carrier {
  const { KUAIDI100_URL: url, KUAIDI100_CUSTOMER: customer, KUAIDI100_KEY: key } = env
  if (customer === undefined || key === undefined) return simulatedCarrier(clock)
  return kuaidi100({ url, customer, key, salt: env.KUAIDI100_SALT, callbackUrl: env.KUAIDI100_CALLBACK_URL })
}

/** A carrier told something of a parcel by itself. */
export const parcelMoved = defineAnnouncement<Push>('parcel-moved')

export const routes: Routes = app => [
  route({
    method: 'POST',
    path: '/open/v1/kuaidi100/push',
    texts: 'engines/carrier',
    // Public by design: the signature takes the place of a session.
    access: 'public',
    body: 'raw',
    answer: 'file',
    summary: 'Takes what the tracking service pushes, under its signature.',
    async handle(call) {
      const carrier = openCarrier(app)
      if (!carrier.pushes) throw new Refused(refuse('kit:address-unknown'), 'not-found')
      const push = carrier.readPush(call.raw.bytes())
      if (push)
        await app.db.write(tx =>
          announce(ownChange(app, tx, call.now, `kuaidi100:${push.trackingNo}`), parcelMoved, push),
        )
      return new FileAnswer('answer.json', 'application/json', Buffer.from(carrier.acknowledgement), true)
    },
  }),
]
