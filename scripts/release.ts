/**
 * A release of both packages (`npm run release`).
 *
 * - checks the work tree, the versions and the changelog;
 * - builds, and packs both packages into `.cache/release/`, with the notes of the release and the provider's bill of materials;
 * - lets npm check the packages (`npm publish --dry-run`), which needs no network;
 * - with `--publish`: publishes them instead. A package that has this version in the registry is left out, so that a release that
 *   was cut short can be repeated. Only the workflow `release` can sign the provenance.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import names from '../names.json' with { type: 'json' };
import { billOfMaterials } from './lib/materials.ts';
import { outsideEnv } from './lib/pack.ts';
import { chapterOf, releaseProblems, versionsIn } from './lib/release.ts';
import { ROOT } from './lib/root.mjs';
import { ensureBuilt } from './lib/steps.ts';

const FOLDER = join(ROOT, '.cache/release');
const PACKAGES = [
  { name: names.client, folder: '.' },
  { name: names.provider, folder: './provider' },
] as const;

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
const git = (...args: readonly string[]): readonly string[] =>
  lines(execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }));
const npm = (args: readonly string[], stderr: 'inherit' | 'ignore' = 'inherit'): string =>
  execFileSync('npm', args, { cwd: ROOT, env: outsideEnv, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });

function isInRegistry(name: string, version: string): boolean {
  try {
    return npm(['view', `${name}@${version}`, 'version'], 'ignore').trim() === version;
  } catch {
    // npm reports a missing package as an error.
    return false;
  }
}

/** Packs both packages. @returns the paths of the tarballs */
function packAll(): readonly string[] {
  const folders = PACKAGES.map(({ folder }) => folder);
  const packed = JSON.parse(
    npm(['pack', '--ignore-scripts', '--json', '--pack-destination', FOLDER, ...folders]),
  ) as Record<string, { readonly filename: string }>;
  return Object.values(packed).map(({ filename }) => join(FOLDER, filename));
}

const isPublished = process.argv.includes('--publish');
const versions = versionsIn();
const [version = ''] = Object.values(versions);
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
const problems = releaseProblems(
  { changes: git('status', '--porcelain'), tags: git('tag', '--points-at', 'HEAD'), versions, changelog },
  isPublished,
);
if (problems.length > 0) {
  console.error(`There is no release of ${version}:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  process.exit(1);
}

await ensureBuilt(['entries', 'types', 'server']);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'notes.md'), `${chapterOf(version, changelog)?.text ?? ''}\n`);
writeFileSync(join(FOLDER, `${names.provider}-${version}.cdx.json`), billOfMaterials());
for (const [index, tarball] of packAll().entries()) {
  const { name = '' } = PACKAGES[index] ?? {};
  if (!isPublished) npm(['publish', tarball, '--dry-run', '--offline']);
  else if (isInRegistry(name, version)) console.log(`${name} ${version} is in the registry already.`);
  else npm(['publish', tarball]);
}
console.log(isPublished ? `${version} is published.` : `${version} can be published; its files are in .cache/release.`);
