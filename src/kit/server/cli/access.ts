import { changeGrant } from '#kit/server/auth/access.ts'
import { openDatabase } from '#kit/server/database/database.ts'
import { sendSignal } from '#kit/server/database/signal.ts'
import { type Command, readOptions, WrongUse, withDatabase } from './command.ts'

const USAGE = 'npm run access -- grant|revoke <ROLE> <page> [action]'

/** Gives a role a page or an action, or takes it away; running consoles go by it within a second. */
export const changeAccess: Command = async (args, env) => {
  const { positionals } = readOptions(args, USAGE, { allowPositionals: true })
  const [what, role, page, action, ...more] = positionals
  if ((what !== 'grant' && what !== 'revoke') || !role || !page || more.length > 0)
    throw new WrongUse(`Usage: ${USAGE}`)
  return withDatabase(env, async url => {
    const db = openDatabase(url, 2)
    try {
      const held = what === 'grant'
      await changeGrant(db, { send: sendSignal }, { role, page, held, now: new Date(), ...(action ? { action } : {}) })
      console.log(`${role} ${held ? 'now holds' : 'no longer holds'} ${page}${action ? ` ${action}` : ''}.`)
      return 0
    } finally {
      await db.close()
    }
  })
}
