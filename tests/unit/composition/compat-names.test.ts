import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as compat from 'portico/compat';
import * as headless from 'portico/compat/headless';
import * as vanilla from 'portico/compat/vanilla';
import { ROOT } from '#scripts/lib/root.mjs';

type Names = Readonly<Record<string, unknown>>;

/** The two versions of the reference's vanilla package that are installed for tests of the wire. */
const load = createRequire(join(ROOT, 'provider/package.json'));
const theirs = (name: string): Names => load(name) as Names;
const REACT = JSON.parse(readFileSync(join(ROOT, 'tests/compat/react-names.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
>;

/** What is something else here, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  Products: '6.x has objects with React components in them; both are only ever handed on',
  Wallets: 'the names that 5.x shows for two of them; no option takes one',
  defaultTheme: 'colours of our own',
  defaultDarkTheme: 'colours of our own',
  shadcnTheme: 'colours of our own',
  iconsBlack: 'the icons are the widget’s own',
  iconsWhite: 'the icons are the widget’s own',
};

/** Functions that need no `new` there and none here, classes that need one: told apart by nothing else. */
const kind = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

function expectNames(ours: Names, their: Names): void {
  expect(Object.keys(their).filter((name) => !Object.hasOwn(ours, name))).toEqual([]);
  for (const [name, value] of Object.entries(their)) {
    expect([name, kind(ours[name])]).toEqual([name, kind(value)]);
    if (typeof value !== 'object' || value === null || OTHERWISE[name] !== undefined) continue;
    expect({ name, ...(ours[name] as object) }).toMatchObject({ name, ...value });
  }
}

describe('the names of the vanilla package', () => {
  it.each([
    ['5.x', 'vendor-client-v5', 'vendor-client-v5/headless'],
    ['6.x', '@stytch/vanilla-js', '@stytch/vanilla-js/headless'],
  ])('of %s are all there, as the same kinds with the same values', (_, main, bare) => {
    expect(Object.keys(theirs(main)).length).toBeGreaterThan(60);
    expectNames(vanilla, theirs(main));
    expectNames(compat, theirs(main));
    expectNames(headless, theirs(bare));
  });

  it('of 6.x for those who move to it by steps are there but for what no theme of ours needs', () => {
    const names = Object.keys(theirs('@stytch/vanilla-js/compat'));
    expect(names.filter((name) => !Object.hasOwn(compat, name)).sort()).toEqual([
      'addColorFallback',
      'generateColorFallback',
    ]);
  });
});

it('has each social login once, as there', () => {
  expect(Object.entries(compat.OAuthProviders)).toEqual(
    Object.entries(theirs('@stytch/vanilla-js')['OAuthProviders'] as object),
  );
});

describe('the names of the React package', () => {
  it.each(Object.entries(REACT))('of %s are all there', (_, entries) => {
    expect(Object.keys(entries)).toEqual(expect.arrayContaining(['.', './headless']));
    for (const names of Object.values(entries)) {
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !Object.hasOwn(compat, name))).toEqual([]);
    }
    const bare = entries['./headless'] ?? [];
    expect(bare.filter((name) => !Object.hasOwn(headless, name))).toEqual([]);
  });

  it('are its components where both packages have one', () => {
    expect(compat.StytchPasskeyRegistration).not.toBe(vanilla.StytchPasskeyRegistration);
    expect(compat.StytchPasskeyRegistrationElement).toBe(vanilla.StytchPasskeyRegistration);
  });
});
