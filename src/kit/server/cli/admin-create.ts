import { createAdmin } from '#kit/server/auth/admin.ts'
import { openDatabase } from '#kit/server/database/database.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { type Command, readOptions, WrongUse, withDatabase } from './command.ts'

const USAGE = 'npm run admin:create -- --username <name>'

/** Makes a super administrator; the password is made up, shown once, and has to be changed at the first sign-in. */
export const adminCreate: Command = async (args, env) => {
  const { values } = readOptions(args, USAGE, { options: { username: { type: 'string' } } })
  const username = values.username
  if (!username) throw new WrongUse(`Usage: ${USAGE}`)
  return withDatabase(env, async url => {
    await migrate(url)
    const db = openDatabase(url, 2)
    try {
      const { generated } = await createAdmin(db, { username, now: new Date(), profile: env.SECURITY_PROFILE })
      console.log(
        `${username} can sign in with the password ${generated}\nIt is shown this once, and has to be changed at the first sign-in.`,
      )
      return 0
    } finally {
      await db.close()
    }
  })
}
