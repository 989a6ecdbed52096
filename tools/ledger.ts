import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { GUARDIANS, SURNAMES } from '../src/demo/builders.server.ts'
import { DEMO_PASSWORD } from '../src/kit/server/auth/demo-account.ts'
import { A_RECORDING, type Entry, TEST_GUARDIAN, TEST_PASSWORD, whereOf } from './testing/ledger.ts'

type Secret = {
  readonly name: string
  readonly pattern: RegExp
  /** The calls whose purpose it is to answer this, to the person it belongs to or who has the right to it. */
  readonly except: RegExp
}

const NOWHERE = /^$/
const REVEALED = /^POST \/api\/[\w/-]+\/:id\/reveal$/
/** Or rows of a file, as they stood in it, to nobody but who sent it: they are mended and sent again, or made an audience of. */
const REVEALED_OR_OWN = new RegExp(
  `${REVEALED.source}|^GET /api/[\\w/-]+/import/:id/errors$|^POST /api/[\\w/-]+/numbers-file$`,
)
const SECRETS: readonly Secret[] = [
  {
    name: 'a whole phone number',
    pattern: /(?<![\w-])1[3-9]\d{9}(?![\w-])/,
    except: REVEALED_OR_OWN,
  },
  { name: 'the whole name of a guardian', pattern: new RegExp(TEST_GUARDIAN), except: REVEALED },
  {
    name: 'the whole name of a guardian of the demo business',
    pattern: new RegExp(`[${SURNAMES.join('')}](?:${GUARDIANS.join('|')})`),
    except: REVEALED,
  },
  // By their links alone, which are given to whoever sees the record.
  { name: 'a recording', pattern: new RegExp(`^${A_RECORDING}$`), except: /^GET \/api\/common\/file\/:id$/ },
  {
    name: 'a token',
    // Random letters of both cases: a name in small letters may have the length of one, a token is never all small.
    pattern: /(?<![\w-])(?=[\w-]{0,42}[A-Z])[\w-]{43}(?![\w-])/,
    except:
      /^(POST \/api\/auth\/(login|2step-code)|POST \/api\/iam\/ticket|POST \/api\/common\/file\/:id\/link|push 3|.* headers)$/,
  },
  { name: 'the hash of a password', pattern: /\$argon2/, except: NOWHERE },
  { name: 'a password', pattern: new RegExp(TEST_PASSWORD), except: NOWHERE },
  { name: 'the demo password', pattern: new RegExp(DEMO_PASSWORD), except: /^GET \/api\/common\/settings$/ },
]

/** What left the house and should not have, one line each. */
export function findLeaks(entries: Iterable<Entry>): string[] {
  const leaks = new Set<string>()
  for (const { kind, where, text: whole } of entries) {
    // A picture is random letters, and some of them look like a token.
    const text = decoded(whole.replace(/data:image\/\w+;base64,[\w+/=]+/g, 'a picture'))
    for (const { name, pattern, except } of SECRETS) {
      if (except.test(where) && kind !== 'log') continue
      const found = pattern.exec(text)
      if (found)
        leaks.add(`${kind} ${where}: ${name} in …${text.slice(Math.max(0, found.index - 60), found.index + 20)}…`)
    }
  }
  return [...leaks]
}

/** Names of files leave in headers, percent by percent. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, sequence => {
    try {
      return decodeURIComponent(sequence)
    } catch {
      return sequence
    }
  })

/** The parts of a zip, such as an export: a name is deflated and would not be found in the file as it is. */
export function unzip(file: Buffer): string[] {
  const end = file.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (end === -1) return [file.toString('utf8')]
  const parts: string[] = []
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed, local] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)]
    const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const content = file.subarray(begin, begin + packed)
    parts.push((method === 8 ? inflateRawSync(content) : content).toString('utf8'))
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return parts
}

function* readLedger(folder: string): Generator<Entry> {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.bin')) {
      for (const text of unzip(readFileSync(join(folder, name)))) yield { kind: 'file', where: whereOf(name), text }
    } else {
      for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) if (line !== '') yield JSON.parse(line)
    }
  }
}

if (import.meta.main) {
  const folder = process.env.INKSTONE_LEDGER
  if (!folder) throw new Error('INKSTONE_LEDGER names the folder to look in')
  const counts = new Map<string, number>()
  const counted = function* () {
    for (const entry of readLedger(folder)) {
      counts.set(entry.kind, (counts.get(entry.kind) ?? 0) + 1)
      yield entry
    }
  }
  const leaks = findLeaks(counted())
  // A ledger that nobody wrote into finds nothing either.
  for (const kind of ['answer', 'log', 'push', 'file']) if (!counts.get(kind)) leaks.push(`the ledger holds no ${kind}`)
  for (const leak of leaks.slice(0, 50)) console.error(leak)
  console.log([...counts].map(([kind, count]) => `${kind}: ${count}`).join(', '))
  process.exitCode = leaks.length === 0 ? 0 : 1
}
