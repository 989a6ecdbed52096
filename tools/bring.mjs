// Runs on Node 20 before anything is installed: no dependency, no TypeScript.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NODE_MAJOR = 24
const LOCK = join(ROOT, 'package-lock.json')
const INSTALLED_STAMP = join(ROOT, 'node_modules', '.inkstone-lock')
const BUILT_STAMP = join(ROOT, 'dist', 'console.sources')
/** What the browser part is made of; the server's own files are left out so that a change there costs no build. */
const CONSOLE_SOURCES = ['src', 'public', 'tools', 'index.html', 'vite.config.ts', 'package-lock.json']
const NOT_IN_CONSOLE = /^src[\\/]kit[\\/]server$|[\\/.]server\.ts$|\.test\.tsx?$/

/** Makes sure that node_modules is in step with package-lock.json; gives the path of Node 24. */
export function bring() {
  if (readIfThere(INSTALLED_STAMP) !== lockStamp()) {
    if (!isInstalled(JSON.parse(readFileSync(LOCK, 'utf8')))) install()
    // A folder that cannot be written only costs the longer look each time.
    if (canWrite(join(ROOT, 'node_modules'))) noteInstalled()
  }
  return findNode()
}

/** Says that what lies in node_modules is what is wanted: the image holds less than the lock on purpose. */
export function noteInstalled() {
  writeFileSync(INSTALLED_STAMP, lockStamp())
}

const lockStamp = () => createHash('sha256').update(readFileSync(LOCK)).digest('hex')

/** Builds the browser part where `dist/console` is missing or was built from other sources. */
export function buildConsole(node) {
  const stamp = hashFiles(CONSOLE_SOURCES)
  if (existsSync(join(ROOT, 'dist', 'console')) && readIfThere(BUILT_STAMP) === stamp) return
  if (!canWrite(ROOT)) stop(`The console is not built yet and the folder ${ROOT} cannot be written by this user.`)
  say('Building the console …')
  const build = spawnSync(node, [join(ROOT, 'tools', 'build.ts')], { cwd: ROOT, encoding: 'utf8' })
  if (build.status !== 0)
    stop(`${build.stdout ?? ''}${build.stderr ?? ''}\nThe console could not be built; the reason stands above.`)
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(BUILT_STAMP, stamp)
}

/** Says one line on the error stream, so that a program's own output stays clean. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Ends with one clear sentence. */
export function stop(sentence) {
  say(sentence)
  process.exit(1)
}

/**
 * npm's own record of what it installed, which is written last, against what the lock asks for on this platform: not
 * what is of other platforms, nor what only such packages bring along.
 */
function isInstalled(lock) {
  const record = readIfThere(join(ROOT, 'node_modules', '.package-lock.json'))
  if (!record) return false
  const installed = JSON.parse(record).packages
  const asked = new Set(
    [lock.packages[''], ...Object.values(installed)].flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    ),
  )
  const isLeftOut = (path, wanted) =>
    wanted.optional && (!fitsPlatform(wanted) || !asked.has(path.slice(path.lastIndexOf('node_modules/') + 13)))
  return Object.entries(lock.packages).every(
    ([path, wanted]) => path === '' || wanted.version === installed[path]?.version || isLeftOut(path, wanted),
  )
}

function fitsPlatform({ os, cpu, libc }) {
  const isListed = (listed, own) => !listed || [listed].flat().includes(own)
  return isListed(os, process.platform) && isListed(cpu, process.arch) && isListed(libc, 'glibc')
}

function install() {
  if (!canWrite(ROOT)) stop(`Packages have to be installed and the folder ${ROOT} cannot be written by this user.`)
  say('Installing packages, about a minute …')
  // Not `npm ci`: it refuses a lock without the optional packages of every other platform. The versions are the lock's.
  // The build needs the development packages, and Node 24 and PostgreSQL are optional ones, whatever npm is set to omit.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  const [npm, ...first] = findNpm()
  const isWindows = process.platform === 'win32'
  const run = spawnSync(npm, [...first, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: isWindows && first.length === 0,
  })
  if (run.error) stop(`npm is needed to install the console's packages and cannot be run: ${run.error.message}.`)
  if (run.status !== 0)
    stop(`${run.stdout}${run.stderr}\nThe packages could not be installed; npm's reason stands above.`)
}

/** Under `npm start` npm tells where it is, and which Node runs it: not the one that is about to be replaced. */
function findNpm() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  return npm && node && basename(npm) === 'npm-cli.js' ? [node, npm] : ['npm']
}

function findNode() {
  const { platform, arch, execPath, versions } = process
  const brought = join(
    ROOT,
    'node_modules',
    `node-${platform === 'win32' ? 'win' : platform}-${arch}`,
    'bin',
    platform === 'win32' ? 'node.exe' : 'node',
  )
  if (existsSync(brought)) return brought
  if (Number.parseInt(versions.node, 10) >= NODE_MAJOR) return execPath
  return stop(
    `The console runs on Node ${NODE_MAJOR}, which cannot be brought along for ${platform}-${arch}: install Node ${NODE_MAJOR} from https://nodejs.org and start again.`,
  )
}

function hashFiles(paths) {
  const hash = createHash('sha256')
  const visit = path => {
    if (NOT_IN_CONSOLE.test(path)) return
    const found = statSync(join(ROOT, path), { throwIfNoEntry: false })
    if (found?.isFile()) hash.update(`${path}\0${found.size}\0`).update(readFileSync(join(ROOT, path)))
    if (found?.isDirectory()) for (const name of readdirSync(join(ROOT, path)).sort()) visit(join(path, name))
  }
  for (const path of paths) visit(path)
  return hash.digest('hex')
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function canWrite(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
