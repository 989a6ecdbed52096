import { handOverContacts } from '#engines/contact/handing-over.server.ts'
import { GOES_ALONG, STAYS } from '#engines/contact/model.ts'
import { listen } from '#kit/server/change/announce.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { belongs, staffHandedOver } from './belongings.server.ts'
import { child } from './contacts/model.ts'

const { screen, table } = child.resource

const standing = (statuses: readonly string[]): string =>
  `staff_id = $1 and status in (${statuses.map(status => `'${status}'`).join(', ')})`

export const contactRoutes = serveChild(child)

export const listeners = [
  belongs({ what: `${screen.name}:title`, table, where: standing(GOES_ALONG) }),
  belongs({ what: `${screen.name}:stay`, table, where: standing(STAYS), moves: false }),
  listen(staffHandedOver, handOverContacts),
]
