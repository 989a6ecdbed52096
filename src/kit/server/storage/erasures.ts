import { Readable } from 'node:stream'
import { run, type Tx } from '../database/database.ts'
import { writeAside } from './aside.ts'
import { openFolder } from './folder.ts'
import { allNames, type Store } from './store.ts'
import { erasuresFolder, type FileSettings, openStores } from './stores.ts'

/** Who was erased, and when: all that is told outside the database, and by its name alone. */
export type Erasure = { readonly memberId: string; readonly erasedAt: Date }

const NAME = /^member-(\d+)-(\d+)$/
const nameOf = ({ memberId, erasedAt }: Erasure): string => `member-${memberId}-${erasedAt.getTime()}`

const TOLD_AT_ONCE = 200

/** Tells of erasures beside the files, so that whoever brings back an older backup hears of them (decision 072). */
export async function tellErasures(env: FileSettings, tx: Tx, now: Date): Promise<number> {
  const untold = await run(
    tx,
    `select member_id, erased_at from erasure where told_at is null or told_at < erased_at order by erased_at limit ${TOLD_AT_ONCE}`,
    [],
  )
  const { erasures } = openStores(env)
  for (const { member_id: memberId, erased_at: at } of untold) {
    const aside = await writeAside(erasuresFolder(env.DATA_DIR), () => Readable.from(['erased']))
    const name = nameOf({ memberId: String(memberId), erasedAt: new Date(String(at)) })
    await erasures.put(name, aside, { name, type: 'text/plain' })
    await run(tx, 'update erasure set told_at = $2 where member_id = $1', [memberId, now])
  }
  return untold.length
}

/** Those told where this console keeps its files, or in the data folder of the one before it. */
export async function toldErasures(env: FileSettings, before?: string): Promise<Erasure[]> {
  const told: Store[] = [openStores(env).erasures, ...(before ? [openFolder(erasuresFolder(before))] : [])]
  const names = (await Promise.all(told.map(allNames))).flat()
  return names.flatMap(name => {
    const [, memberId, at] = NAME.exec(name) ?? []
    return memberId ? [{ memberId, erasedAt: new Date(Number(at)) }] : []
  })
}
