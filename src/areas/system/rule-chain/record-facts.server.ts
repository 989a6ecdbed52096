import { declaredRules } from '#engines/rule/declared.server.ts'
import { can } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { App } from '#kit/server/app.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { isInScope } from '#kit/server/list/sees.ts'
import { askedFacts, recordFacts, resource } from './model.ts'

/** The records an event happens to: those of the screen that declares it. */
export function recordsOf({ catalogue }: Pick<App, 'catalogue'>, screen: string): Resource {
  const records = catalogue.slices.find(slice => slice.resource?.screen.name === screen)?.resource
  if (!records) throw new Error(`the screen ${screen} has no records`)
  return records
}

/** Whoever may not read the record learns nothing of it by trying a chain. */
export const factsRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/facts`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'try' },
    query: askedFacts,
    answer: recordFacts,
    summary: 'What a chain would know of a record now, for a dry run; for whoever may read the record.',
    async handle({ actor }, { query: { event: name, recordId } }) {
      const event = declaredRules(app).events.get(name)
      const records = event && recordsOf(app, event.texts)
      const isSeen =
        records && can(actor, records.screen.key, 'detail') && (await isInScope(app, records, recordId, actor))
      const about = isSeen ? await event?.read(app, recordId) : undefined
      if (!about) throw new Refused(refuse('kit:record-missing'), 'not-found')
      return { facts: JSON.stringify(about.facts, null, 2) }
    },
  })
