import { describe, expect, it } from 'vitest';
import { checkLock, checkLocks } from '#scripts/lock-guard.ts';
import { folderWith } from './folder.ts';

const check = (packages: object): readonly string[] =>
  checkLock(folderWith({ 'package-lock.json': JSON.stringify({ packages }) })).problems;

const locked = { version: '1.0.0', resolved: 'https://registry.example/a.tgz', integrity: 'sha512-a' };

describe('the lock gate', () => {
  it('accepts a complete lock, with a workspace in it', () => {
    const tool = { ...locked, optionalDependencies: { 'tool-linux': '1.0.0' } };
    expect(
      check({
        '': {},
        provider: {},
        'node_modules/@portico/provider': { resolved: 'provider', link: true },
        'node_modules/tool': tool,
        'node_modules/tool-linux': locked,
      }),
    ).toEqual([]);
  });

  it('names a platform package that is missing', () => {
    const tool = { ...locked, optionalDependencies: { 'tool-android': '1.0.0' } };
    expect(check({ 'node_modules/tool': tool })).toEqual([expect.stringContaining('tool: tool-android is missing')]);
  });

  it('names a package without integrity, or from elsewhere', () => {
    expect(check({ 'node_modules/a': { version: '1.0.0' } })).toEqual(['a: no integrity in the lock']);
    expect(check({ 'node_modules/a': { ...locked, resolved: 'git+ssh://host/a' } })).toHaveLength(1);
  });

  it('fails on an empty lock', () => {
    expect(check({})).toEqual(['the lock names no package']);
  });

  it('looks at the locks of the runtimes and of the examples, too', () => {
    const good = JSON.stringify({ packages: { 'node_modules/a': locked } });
    const bad = JSON.stringify({ packages: { 'node_modules/a': { ...locked, integrity: undefined } } });
    const root = folderWith({
      'package-lock.json': good,
      'tests/runtimes/package-lock.json': bad,
      'examples/some/package-lock.json': bad,
      'examples/other/package.json': '{}',
    });
    expect(checkLocks(root)).toMatchObject({
      ok: false,
      packages: 3,
      problems: ['tests/runtimes: a: no integrity in the lock', 'examples/some: a: no integrity in the lock'],
    });
    expect(checkLocks(folderWith({ 'examples/a/package.json': '{}' })).ok).toBe(false);
  });
});
