/**
 * Installs the dependencies when they are missing or not the lock's: the first half of every npm script.
 *
 * - silent and instant when fresh; says so in one line when it installs, and in one when done;
 * - two commands at once: the second waits for the first;
 * - development packages come along under NODE_ENV=production too;
 * - needs no package, and says which Node is needed when this one is too old.
 */
// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { isMain, ROOT } from './lib/root.mjs';

const NEEDED = /** @type {const} */ ([20, 19]);

/** @param {string} version */
export function tooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
}

/** @typedef {{ abi: string, platform: string, arch: string }} Machine */

/**
 * Changes with the lock, the platform and the Node ABI: native packages are built for all three.
 *
 * @param {string} lockText
 * @param {Machine} [machine]
 */
export function stampOf(lockText, machine = thisMachine()) {
  const { abi, platform, arch } = machine;
  return createHash('sha256').update(`${abi} ${platform} ${arch}\n${lockText}`).digest('hex');
}

/** @returns {Machine} */
const thisMachine = () => ({
  abi: process.versions.modules,
  platform: process.platform,
  arch: process.arch,
});

/**
 * @typedef {{ version?: string, integrity?: string, os?: string[], cpu?: string[], optional?: boolean, devOptional?: boolean }} Entry
 * @typedef {{ packages?: Record<string, Entry> }} Lock
 */

/**
 * Whether npm's own record of node_modules holds all that the lock wants here, so that nothing need be installed.
 *
 * @param {Lock} lock
 * @param {Lock} installed
 * @param {Machine} [machine]
 */
export function holdsLock(lock, installed, machine = thisMachine()) {
  const { platform, arch } = machine;
  /** @param {Entry} entry */
  const foreign = (entry) =>
    (entry.os && !entry.os.includes(platform)) || (entry.cpu && !entry.cpu.includes(arch)) || false;
  if (Object.values(installed.packages ?? {}).some(foreign)) return false;
  return Object.entries(lock.packages ?? {}).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true;
    const found = installed.packages?.[path];
    if (!found) return Boolean(entry.optional || entry.devOptional);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/** @param {string} path */
const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** @param {string} root */
function isFresh(root) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stampFile = join(root, 'node_modules/.deps-stamp');
  const stamp = stampOf(lockText);
  if (read(stampFile) === stamp) return true;
  const installed = read(join(root, 'node_modules/.package-lock.json'));
  if (read(stampFile) !== '' || installed === '') return false;
  if (!holdsLock(JSON.parse(lockText), JSON.parse(installed))) return false;
  writeFileSync(stampFile, stamp);
  return true;
}

/** @param {string} root */
function install(root) {
  const started = Date.now();
  console.log('Installing dependencies (npm ci); this takes a minute or two the first time …');
  const npm = process.env['npm_execpath'];
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development' } };
  const { status, error } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`npm ci failed${error ? `: ${error.message}` : ''}; see above.`);
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'node_modules/.deps-stamp'), stampOf(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  console.log(`Dependencies are installed (${Math.round((Date.now() - started) / 1000)} s).`);
}

export async function ensureDeps(root = ROOT) {
  if (isFresh(root)) return;
  await withLock(join(root, '.cache/deps.lock'), () => {
    if (!isFresh(root)) install(root);
  });
}

if (isMain(import.meta.url)) {
  if (tooOld(process.versions.node)) {
    console.error(`Portico needs Node ${NEEDED.join('.')} or newer; this is Node ${process.versions.node}.`);
    process.exit(1);
  }
  try {
    await ensureDeps();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
