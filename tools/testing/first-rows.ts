import { keepBuiltInDictionaries } from '../../src/areas/system/dictionary/built-in.server.ts'
import { syncPermissions } from '../../src/kit/server/access/permission.ts'
import { readCatalogue } from '../../src/kit/server/catalogue.ts'
import { openDatabase } from '../../src/kit/server/database/database.ts'
import { readEnv } from '../../src/kit/server/process/env.ts'
import { openTexts } from '../../src/kit/server/text/texts.ts'

const url = process.argv[2] ?? ''
const db = openDatabase(url, 2)
const catalogue = await readCatalogue()
await syncPermissions(db, catalogue, await openTexts())
await keepBuiltInDictionaries({ db, catalogue, env: readEnv({ DATABASE_URL: url }) }, new Date())
await db.close()
