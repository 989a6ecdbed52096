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

/** Tells of erasures beside the files, so that whoever brings back an older backup hears of them (decision 072). */
export async function tellErasures(env: FileSettings, tx: Tx): Promise<number> {
  const { erasures } = openStores(env)
  const told = new Set(await allNames(erasures))
  const erased = await run(tx, 'select member_id, erased_at from erasure order by erased_at', [])
  const untold = erased
    .map(row => nameOf({ memberId: String(row.member_id), erasedAt: new Date(String(row.erased_at)) }))
    .filter(name => !told.has(name))
  for (const name of untold) {
    const aside = await writeAside(erasuresFolder(env.DATA_DIR), () => Readable.from(['erased']))
    await erasures.put(name, aside, { name, type: 'text/plain' })
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
