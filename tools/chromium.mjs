// Plain JavaScript: the test runner needs it before anything else is ready.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Nothing it does by itself: it opens our pages and asks nobody else. */
export const ALONE = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The shell draws the same pages without the windows around them, for two thirds of the processor time. */
const SHELL = 'chromium-headless-shell'
const NAMES = [
  SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
]
const PLACES = [
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** A mirror that does not answer must not hold up the tests for ever. */
const APT_MINUTES = 10
const APT_OPTIONS = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=30', '-o', 'DPkg::Lock::Timeout=60']

/** Gives the path of a Chromium that runs; installs it and a Chinese font where it may: as root on Debian or Ubuntu. */
export function findChromium() {
  const asked = process.env.CHROMIUM
  if (asked && !runs(asked)) throw new Error(`CHROMIUM is set to ${asked}, which does not run: correct or unset it.`)
  let found = asked || findInstalled()
  const wanted = [...(found ? [] : [SHELL]), ...(hasChineseFont() ? [] : ['fontconfig', 'fonts-noto-cjk'])]
  if (wanted.length > 0 && canInstall()) install(wanted)
  found ??= findInstalled()
  if (!found && canInstall()) install(['chromium'])
  found ??= findInstalled()
  if (!found) throw new Error('The journeys need a Chromium or Chrome: install one, or set CHROMIUM to its path.')
  if (!hasChineseFont())
    say('There is no font for Chinese: texts are drawn as boxes. Install one, such as fonts-noto-cjk.')
  return found
}

function findInstalled() {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name)))
  return [...onPath, ...PLACES, ...findPlaywrights()].find(path => existsSync(path) && runs(path))
}

/** Browsers that Playwright brought for somebody else, newest first. */
function findPlaywrights() {
  const cache = join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(cache)) return []
  const versions = readdirSync(cache).filter(name => /^chromium-\d+$/.test(name))
  versions.sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
  return versions.flatMap(name => [
    join(cache, name, 'chrome-linux', 'chrome'),
    join(cache, name, 'chrome-linux64', 'chrome'),
  ])
}

/** Ubuntu's chromium-browser may be a script that only names the snap to install. Chrome of Windows has no --version. */
function runs(path) {
  return process.platform === 'win32'
    ? existsSync(path)
    : spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0
}

/** Other systems than Linux come with one. */
function hasChineseFont() {
  if (process.platform !== 'linux') return true
  const listed = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8', timeout: 20_000 })
  return listed.status === 0 && listed.stdout.trim() !== ''
}

function canInstall() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** A failure is told, and what is then missing decides. */
export function install(packages, minutes = APT_MINUTES) {
  say(`Installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', ...packages]]) {
    const run = spawnSync('apt-get', [...APT_OPTIONS, ...args], {
      env,
      encoding: 'utf8',
      timeout: minutes * 60_000,
    })
    if (run.status !== 0) say(`apt-get ${args.join(' ')} failed: ${run.error?.message || run.stderr}`)
  }
}

function say(line) {
  process.stderr.write(`${line}\n`)
}
