import { resource as consultant } from '#areas/sales/name-copy/model.ts'
import { resource as account } from '#areas/sales/name-copy-gz/model.ts'
import { resource as plain } from '#areas/sales/name-copy-plain/model.ts'
import { resource as verse } from '#areas/sales/name-copy-v2/model.ts'
import { pupil } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, type World } from '#demo/world.server.ts'
import { hasLink, hasVerse, type SheetResource, type Variant } from './fields.model.ts'
import { VERSES } from './verses.model.ts'

const chance = chanceOf('sales/name-sheet')

/** In a business of the usual size, on each screen. */
const MADE = 24
/** The list a consultant brought from a class. */
const CLASS_LIST = { title: '实验小学三年级二班.xlsx', names: 12 }

const SCREENS: readonly (readonly [Variant, SheetResource])[] = [
  ['CONSULTANT', consultant],
  ['VERSE', verse],
  ['ACCOUNT', account],
  ['PLAIN', plain],
]

/** Short addresses of the school's own, which lead on to where people are at that time. */
const LINKS = 'https://go.inkstone.example/'
const linkOf = (variant: Variant, account: string) =>
  hasLink(variant) ? { link: `${LINKS}${variant === 'ACCOUNT' ? 'account' : `t/${account}`}` } : {}

/** Rows of a table have the same columns. */
const BLANK = { lead_phone: null, lead_id: null, batch: null, verse: '', link: null }

type Row = NewRow<'name_copybook'> & { readonly created_at: Date }

/** Consultants make a sheet for a lead they are about to call; some bring the list of a whole class. */
function end(world: World): void {
  for (const [variant, resource] of SCREENS) {
    const rows = byTime([...forLeads(world, variant), ...forClass(world, variant)], row => row.created_at)
    for (const row of rows) {
      const id = world.ids.next('name_copybook')
      world.rows.add('name_copybook', [{ ...row, id }])
      const actor = world.staff.find(one => one.id === row.made_by) ?? null
      const { name, age, grid, lines, verse = '' } = row
      const after = { name, age, grid, lines, verse }
      world.log.write({ at: row.created_at.getTime(), actor, resource, action: 'make', recordId: id, after })
    }
  }
}

function forLeads(world: World, variant: Variant): Row[] {
  const random = chance(world)
  const leads = world.rows.of('lead').filter(({ owner_id, phone }) => owner_id && phone)
  const step = Math.max(1, Math.floor(leads.length / Math.max(3, MADE * world.scale)))
  return leads
    .filter((_, at) => at % step === 0)
    .flatMap(lead => {
      const owner = world.staff.find(({ id }) => id === lead.owner_id)
      const at = Math.max((lead.created_at as Date).getTime(), world.now.getTime() - random.whole(1, 40) * DAY_MS)
      if (!owner || at > world.now.getTime()) return []
      return [
        {
          ...BLANK,
          ...{ variant, name: pupil(random).name, lead_phone: lead.phone, lead_id: lead.id },
          age: random.pick(['PRESCHOOL', 'LOWER', 'MIDDLE', 'UPPER']),
          grid: random.pick(['TIAN', 'MI', 'HUI']),
          lines: random.whole(1, 2),
          ...(hasVerse(variant) ? { verse: random.pick(VERSES) } : {}),
          ...linkOf(variant, owner.account),
          ...{ made_by: owner.id, owner_id: owner.id, org_id: owner.orgId, created_at: new Date(at) },
        },
      ]
    })
}

function forClass(world: World, variant: Variant): Row[] {
  const random = chance(world)
  const [owner] = world.staff.filter(({ role, enabled }) => role === 'SALES' && enabled)
  if (!owner) return []
  const created_at = new Date(world.now.getTime() - 6 * DAY_MS)
  return Array.from({ length: CLASS_LIST.names }, () => ({
    ...BLANK,
    ...{ variant, name: pupil(random).name, batch: CLASS_LIST.title, age: 'MIDDLE', grid: 'TIAN', lines: 1 },
    ...(hasVerse(variant) ? { verse: VERSES[0] } : {}),
    ...linkOf(variant, owner.account),
    ...{ made_by: owner.id, owner_id: owner.id, org_id: owner.orgId, created_at },
  }))
}

/** Who makes sheets, on each of their screens. */
export const HOLDS: NonNullable<Story['holds']> = {
  SALES: [...READ, 'make', 'print', 'import', 'undoImport', 'reveal'],
  SALES_MANAGER_COPY: ['export'],
  AUDITOR: READ,
}

export const demo: Story = { end }
