import type { App } from '#kit/server/app.ts'
import type { ContactDoor } from './port.server.ts'
import { simulatedContacts } from './simulator.server.ts'
import { wecom } from './wecom.server.ts'

/** Where contacts live: with WeCom once its keys are set, until then with a simulator. */
export function openContacts({ env, clock }: Pick<App, 'env' | 'clock'>): ContactDoor {
  const { WECOM_URL: url, WECOM_CORP_ID: corpId, WECOM_CONTACT_SECRET: secret } = env
  return corpId && secret ? wecom({ url, corpId, secret, clock }) : simulatedContacts(clock)
}
