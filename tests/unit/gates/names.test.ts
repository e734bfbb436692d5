import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const json = (path: string): Record<string, unknown> => JSON.parse(read(path)) as Record<string, unknown>;
const list = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => pattern.test(name) && !name.includes('node_modules'));

/** The names under which the packages are published. To publish under others, change this file, and what these tests then name. */
const names = json('names.json') as Readonly<Record<'client' | 'provider' | 'repository', string>>;

describe('the names on the registry', () => {
  it('are those of the manifests, of the command and of the repository', () => {
    const [client, provider] = [json('package.json'), json('provider/package.json')];
    expect(client).toMatchObject({ name: names.client });
    expect(provider).toMatchObject({ name: names.provider, bin: { [names.provider]: 'dist/main.js' } });
    const page = names.repository.replace(/^git\+|\.git$/gu, '');
    for (const manifest of [client, provider]) {
      expect(manifest).toMatchObject({
        repository: { type: 'git', url: names.repository },
        homepage: `${page}#readme`,
        bugs: { url: `${page}/issues` },
        license: 'MIT',
        keywords: expect.arrayContaining(['authentication', 'passkeys']),
        publishConfig: { access: 'public', provenance: true },
      });
    }
    expect(provider['repository']).toHaveProperty('directory', 'provider');
    expect(provider['private']).toBeUndefined();
    // `npx NAME` without an installation fetches the package of that name, so the command must not have a name of its own.
    expect(Object.keys(provider['bin'] as object)).toEqual([names.provider]);
  });

  it('are those that the examples depend on', () => {
    const ours = list('examples', /\/package\.json$/u).flatMap((path) => {
      const { dependencies, devDependencies } = json(path) as Record<string, Record<string, string> | undefined>;
      return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => /portico/u.test(name));
    });
    expect(ours.length).toBeGreaterThan(5);
    expect(ours.filter((name) => name !== names.client && name !== names.provider)).toEqual([]);
  });

  it('are those that the documents install, run and import', () => {
    const documents = ['README.md', 'provider/README.md', ...list('docs', /\.md$/u), ...list('examples', /\.md$/u)];
    const named = documents.flatMap((path) => [
      ...[
        ...read(path).matchAll(/\b(?:npm (?:install|i|add)|pnpm add|yarn add)((?: -[\w-]+)*)((?: [@\w./-]+)+)/gu),
      ].flatMap(([, , words = '']) => words.split(' ')),
      ...[...read(path).matchAll(/\bnpx ([@\w./-]+)/gu)].map(([, name = '']) => name),
      ...[...read(path).matchAll(/from '((?:@portico|portico)[^/']*)/gu)].map(([, name = '']) => name),
    ]);
    const ours = named.filter((name) => /^@?portico/u.test(name));
    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter((name) => name !== names.client && name !== names.provider)).toEqual([]);
  });
});
