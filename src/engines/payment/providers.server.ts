import type { App } from '#kit/server/app.ts'
import type { Provider, ProviderName } from './provider.server.ts'
import { simulatedProvider } from './simulator.server.ts'

/** Who gives money back that came by this provider. */
export const openProvider = (app: App, _name: ProviderName): Provider => simulatedProvider(app)
