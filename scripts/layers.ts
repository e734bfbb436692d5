/**
 * The layer gate: every import of src/, provider/src/ and demo/ stays within the table in lib/layer-rules.ts.
 *
 * - static, re-exported, type-only and dynamic imports are all seen; each wrong one is named with file and line;
 * - it fails when it read fewer files than there are, or none;
 * - it holds the other rules that only the sources can show: length, barrels, markup sinks, eval.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { filesUnder, shown } from './lib/files.ts';
import { readSource, type Import } from './lib/imports.ts';
import {
  CONFINED,
  CONTRACTS,
  DEMO_PACKAGES,
  INDEXES,
  LAYERS,
  MAX_LINES,
  PROVIDER_LAYERS,
  THREADS,
  USES,
} from './lib/layer-rules.ts';
import { isMain, ROOT } from './lib/root.mjs';

const TYPESCRIPT = /\.tsx?$/;
const SCRIPT = /\.[cm]?[jt]sx?$/;
const FOLDERS = ['src', 'provider/src', 'demo'];

type Say = (line: number, text: string) => void;

export function checkLayers(root = ROOT): { ok: boolean; files: number; problems: readonly string[] } {
  const files = FOLDERS.flatMap((folder) => filesUnder(join(root, folder)))
    .map((path) => shown(root, path))
    .filter((file) => SCRIPT.test(file));
  const ownPackages = providerPackages(root);
  const problems: string[] = [];
  let read = 0;
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    const found = readSource(file, source);
    read += 1;
    const say: Say = (line, text) => void problems.push(`${file}:${line} ${text}`);
    for (const error of found.errors) say(1, `does not parse: ${error}`);
    for (const one of found.imports) {
      const wrong = judgeImport(file, one, ownPackages);
      if (wrong) say(one.line, wrong);
    }
    for (const { name, line } of found.uses) {
      if (!mayUse(file, name)) say(line, `uses ${name}; ${USES[name]?.why ?? 'nothing here may'}`);
    }
    judgeFile(file, source, say);
  }
  const there = countScripts(root);
  if (read === 0) problems.push('no file was read');
  if (read < there) problems.push(`${read} files were read, but there are ${there}`);
  return { ok: problems.length === 0, files: read, problems };
}

/** What is wrong with the import, or null. */
function judgeImport(file: string, { specifier, kind }: Import, ownPackages: readonly string[]): string | null {
  if (specifier === null) return file.startsWith('demo/') ? null : 'imports a computed name, which no gate can judge';
  const area = areaOf(file);
  if (specifier.startsWith('.')) return judgeRelative(file, area, specifier);
  if (file.startsWith('provider/')) {
    const own = specifier.startsWith('node:') || ownPackages.some((name) => isOf(specifier, name));
    return own ? null : `imports ${specifier}, which provider/package.json does not list`;
  }
  if (area === 'demo') {
    return DEMO_PACKAGES.some((name) => isOf(specifier, name))
      ? null
      : `imports ${specifier}; a host page has only the built entries`;
  }
  if (!LAYERS[area]?.packages.some((name) => isOf(specifier, name))) return `${area} may not import ${specifier}`;
  const rule = CONFINED.find(({ packages }) => packages.some((name) => isOf(specifier, name)));
  const allowed = !rule || (rule.where.test(file) && (!rule.lazy || kind !== 'static'));
  return allowed ? null : `may not import ${specifier}: ${rule.why}`;
}

function judgeRelative(file: string, area: string, specifier: string): string | null {
  const target = posix.join(dirname(file), specifier.replace(/\?.*$/, ''));
  if (area === 'demo')
    return target.startsWith('demo/') ? null : `imports ${target}; a host page has only the built entries`;
  if (file.startsWith('provider/') && target.startsWith('provider/')) return null;
  if (!/\.[a-z]+$/.test(target)) return `imports ${specifier} without its extension, which the declarations need`;
  if (file === CONTRACTS.from && CONTRACTS.to.test(target)) return null;
  const allowed = area === 'provider' ? PROVIDER_LAYERS : [area, ...(LAYERS[area]?.layers ?? [])];
  return allowed.some((layer) => target.startsWith(`src/${layer}/`)) ? null : `${area} may not import ${target}`;
}

/** The layer of a file of src/, else `provider` or `demo`. */
function areaOf(file: string): string {
  const [top = '', layer = ''] = file.split('/');
  return top === 'src' ? layer : top;
}

const mayUse = (file: string, name: string): boolean =>
  !file.startsWith('src/') || USES[name]?.where.test(file) || false;

function judgeFile(file: string, source: string, say: Say): void {
  if (file.startsWith('demo/')) return;
  const lines = source.replace(/\n$/, '').split('\n').length;
  if (lines > MAX_LINES) say(lines, `is ${lines} lines long; ${MAX_LINES} is the most`);
  if (!TYPESCRIPT.test(file) && !THREADS.test(file)) say(1, 'is not TypeScript');
  if (!file.startsWith('src/')) return;
  if (!LAYERS[areaOf(file)]) say(1, 'is in no layer');
  if (/\/index\.tsx?$/.test(file) && !INDEXES.test(file)) say(1, 'is a barrel: import the files themselves');
}

function isOf(specifier: string, name: string): boolean {
  if (name.endsWith('*')) return specifier.startsWith(name.slice(0, -1));
  return specifier === name || specifier.startsWith(`${name}/`);
}

function providerPackages(root: string): readonly string[] {
  const path = join(root, 'provider/package.json');
  if (!existsSync(path)) return [];
  const { dependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as { dependencies?: object };
  return Object.keys(dependencies);
}

/** Counted another way than the files are found, so that a mistake in one shows in the other. */
function countScripts(root: string): number {
  const list = (folder: string): readonly string[] =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }) : [];
  return FOLDERS.flatMap(list).filter((name) => SCRIPT.test(name) && !name.includes('node_modules')).length;
}

if (isMain(import.meta.url)) {
  const { ok, files, problems } = checkLayers();
  console.log(ok ? `${files} files, every import within its layer` : problems.join('\n'));
  process.exit(ok ? 0 : 1);
}
