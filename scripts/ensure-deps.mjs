/**
 * Installs the packages of a lock if they are missing or differ from the lock: the first half of every npm script.
 *
 *     node scripts/ensure-deps.mjs [--omit=dev] [FOLDER …]
 *
 * - a folder has its own package-lock.json; the default is the repository's;
 * - `--omit=dev` leaves out the devDependencies of all workspaces, which only the tests need: `npm start` runs without them;
 * - silent and instant when fresh; prints one line when it starts to install, and one when done;
 * - two commands at once: the second waits for the first, and removes nothing that the first one uses;
 * - installs development packages under NODE_ENV=production too;
 * - needs no package, and names the required Node when this one is too old: so it has the syntax of Node 12, and so has what it imports at once.
 */
// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { isMain, ROOT } from './lib/root.mjs';
import { NEEDED, oldNode, tooOld } from '../provider/src/base/node-version.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, os?: string[], cpu?: string[], dev?: boolean, optional?: boolean, devOptional?: boolean }} Entry
 * @typedef {{ packages?: Record<string, Entry> }} Lock
 * @typedef {{ platform: string, arch: string, omitDev?: boolean }} Wanted
 */

/**
 * Compares npm's record of node_modules with the lock on this machine: `fresh` has all packages, `short` lacks some,
 * and `foreign` has some that are not in the lock. Native packages use Node-API and run no script at install, so that another version
 * of Node can use them unchanged.
 *
 * @param {Lock} lock
 * @param {Lock} installed
 * @param {Wanted} [wanted]
 * @returns {'fresh' | 'short' | 'foreign'}
 */
export function compareToLock(lock, installed, { platform, arch, omitDev = false } = process) {
  const { packages: found = {} } = installed;
  const isElsewhere = Object.values(found).some(
    ({ os, cpu }) => (os && !os.includes(platform)) || (cpu && !cpu.includes(arch)),
  );
  const { packages: wanted = {} } = lock;
  const entries = Object.entries(wanted).filter(([path]) => /(^|\/)node_modules\//.test(path));
  const isOther = entries.some(([path, { version, integrity }]) => {
    const there = found[path];
    return there && (there.version !== version || there.integrity !== integrity);
  });
  if (isElsewhere || isOther) return 'foreign';
  const isWhole = entries.every(
    ([path, { dev, optional, devOptional }]) => found[path] || optional || devOptional || (omitDev && dev),
  );
  return isWhole ? 'fresh' : 'short';
}

/** @param {string} folder @param {boolean} omitDev */
function stateOf(folder, omitDev) {
  const record = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return 'foreign';
  /** @param {string} path @returns {Lock} */
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const { platform, arch } = process;
  return compareToLock(read(join(folder, 'package-lock.json')), read(record), { platform, arch, omitDev });
}

/** @param {string} folder @param {readonly string[]} args */
async function npm(folder, args) {
  const cli = process.env['npm_execpath'];
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { cwd: folder, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development' } };
  const child =
    cli !== undefined && cli.endsWith('.js')
      ? spawn(process.execPath, [cli, ...all], options)
      : spawn('npm', all, { ...options, shell: process.platform === 'win32' });
  const failed = (why = '') => new Error(`npm ${args[0]} failed${why}; see above.`);
  const [code] = await once(child, 'close').catch((error) => {
    throw failed(`: ${error.message}`);
  });
  if (code !== 0) throw failed();
}

/** @param {string} folder @param {boolean} omitDev */
async function install(folder, omitDev) {
  const started = Date.now();
  const what = folder === ROOT ? (omitDev ? 'the packages' : 'all packages, those of the tests too,') : 'the packages';
  const where = folder === ROOT ? '' : ` of ${relative(ROOT, folder)}`;
  console.log(`Installing ${what}${where} (npm) …`);
  const kinds = [omitDev ? '--omit=dev' : '--include=dev'];
  // `npm ci` begins with an empty node_modules. A demo that runs on part of the packages keeps them while the rest is added.
  if (stateOf(folder, omitDev) === 'short') await npm(folder, ['install', '--no-save', ...kinds]);
  if (stateOf(folder, omitDev) !== 'fresh') await npm(folder, ['ci', ...kinds]);
  console.log(`Packages${where} are installed (${Math.round((Date.now() - started) / 1000)} s).`);
}

/** Folders have a lock each, so that several are installed at once. @param {string} folder */
const lockOf = (folder) =>
  join(ROOT, '.cache', `${['deps', ...relative(ROOT, folder).split(sep)].filter(Boolean).join('-')}.lock`);

/** @param {string} [folder] @param {{ omitDev?: boolean }} [options] */
export async function ensureDeps(folder = ROOT, { omitDev = false } = {}) {
  const refusal = oldNode();
  if (refusal !== null) throw new Error(refusal);
  if (stateOf(folder, omitDev) === 'fresh') return;
  const { withLock } = await import('./lib/lock.mjs');
  await withLock(lockOf(folder), async () => {
    if (stateOf(folder, omitDev) !== 'fresh') await install(folder, omitDev);
  });
}

async function main() {
  const args = process.argv.slice(2);
  const folders = args.filter((arg) => !arg.startsWith('--')).map((folder) => resolve(ROOT, folder));
  if (!tooOld(process.versions.node) && tooOld(process.versions.node, NEEDED)) {
    console.warn(`This is Node ${process.versions.node}; the commands are for Node ${NEEDED} or newer.`);
  }
  const omitDev = args.includes('--omit=dev');
  // All at once: npm waits for the network and for the disk most of the time. Each ends before the process does.
  const done = await Promise.allSettled(
    (folders.length > 0 ? folders : [ROOT]).map((folder) => ensureDeps(folder, { omitDev })),
  );
  for (const one of done) if (one.status === 'rejected') throw one.reason;
}

if (isMain(import.meta.url)) {
  main().catch((error) => {
    console.error(/** @type {Error} */ (error).message);
    process.exit(1);
  });
}
