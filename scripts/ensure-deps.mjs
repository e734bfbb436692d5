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
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lib/lock.mjs';
import { isMain, ROOT } from './lib/root.mjs';

const NEEDED = /** @type {const} */ ([20, 19]);

/** @param {string} version */
export function tooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
}

/**
 * @typedef {{ version?: string, integrity?: string, os?: string[], cpu?: string[], optional?: boolean, devOptional?: boolean }} Entry
 * @typedef {{ packages?: Record<string, Entry> }} Lock
 */

/**
 * Whether npm's own record of node_modules holds all that the lock wants on this machine. Its native packages are of
 * Node-API and run no script at install, so that another version of Node takes them as they are.
 *
 * @param {Lock} lock
 * @param {Lock} installed
 * @param {{ platform: string, arch: string }} [machine]
 */
export function holdsLock(lock, installed, { platform, arch } = process) {
  const foreign = Object.values(installed.packages ?? {}).some(
    ({ os, cpu }) => (os && !os.includes(platform)) || (cpu && !cpu.includes(arch)),
  );
  if (foreign) return false;
  return Object.entries(lock.packages ?? {}).every(([path, { version, integrity, optional, devOptional }]) => {
    if (!/(^|\/)node_modules\//.test(path)) return true;
    const found = installed.packages?.[path];
    if (!found) return Boolean(optional || devOptional);
    return found.version === version && found.integrity === integrity;
  });
}

/** @param {string} root */
function isFresh(root) {
  const record = join(root, 'node_modules/.package-lock.json');
  /** @param {string} path @returns {Lock} */
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  return existsSync(record) && holdsLock(read(join(root, 'package-lock.json')), read(record));
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
  console.log(`Dependencies are installed (${Math.round((Date.now() - started) / 1000)} s).`);
}

async function ensureDeps(root = ROOT) {
  if (tooOld(process.versions.node)) {
    throw new Error(`Portico needs Node ${NEEDED.join('.')} or newer; this is Node ${process.versions.node}.`);
  }
  if (isFresh(root)) return;
  await withLock(join(root, '.cache/deps.lock'), () => {
    if (!isFresh(root)) install(root);
  });
}

if (isMain(import.meta.url)) {
  await ensureDeps().catch((/** @type {Error} */ error) => {
    console.error(error.message);
    process.exit(1);
  });
}
