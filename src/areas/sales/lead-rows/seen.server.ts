import { resource as lead } from '#areas/sales/salvage/model.ts'
import type { Actor } from '#kit/model/actor.ts'
import type { Language } from '#kit/model/language.ts'
import type { App } from '#kit/server/app.ts'
import { sees } from '#kit/server/list/sees.ts'

/** What was done with a lead stays with whoever did it; the lead itself may be somebody else's since. */
export const detail = async (
  app: App,
  { leadId }: { readonly leadId: string },
  _language: Language,
  actor: Actor,
): Promise<{ seesLead: boolean }> => ({ seesLead: await sees(app, lead, leadId, actor) })
