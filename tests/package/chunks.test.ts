import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';

const CHUNKS = join(ROOT, 'dist/chunks');
const scripts = readdirSync(CHUNKS).filter((name) => name.endsWith('.js'));
const isStandalone = (name: string): boolean => name.startsWith('standalone-');
const meaningOf = (name: string): string => name.replace(/^standalone-/u, '').replace(/-[\w-]{8}\.js$/u, '');
const read = (name: string): string => readFileSync(join(CHUNKS, name), 'utf8');
const importsOf = (name: string): readonly string[] =>
  [...read(name).matchAll(/(?:from|^import)\s*["']\.\/([^"']+)["']/gmu)].map(([, file]) => file ?? '');

const LANGUAGES = ['ar', 'de', 'es', 'fr', 'ja', 'pt', 'zh'].flatMap((name) => [
  `language-${name}`,
  `language-account-${name}`,
  `language-factors-${name}`,
]);
const ON_DEMAND = [
  'account',
  'account-changes',
  'adoption',
  'consent',
  'features',
  'login',
  'mails',
  'marks',
  'passkey-sign-up',
  'passkeys',
  'passphrase-words',
  'passwords',
  'phones',
  'qr-code',
  'second-factor',
  'session',
  'silent-passkeys',
  'strength',
  'themes',
  'third-party-scripts',
  'unreachable',
  'wallets',
];
/** What a client without a widget loads of a feature. */
const WITHOUT_SCREENS = ['authorization', 'login-binding', 'webauthn', 'wallet-providers'];

/** What a server loads to render the login or to check proofs, and what builds pages; no page loads it. */
const FOR_SERVERS = ['markup', 'package-files', 'page-proofs', 'prerender-process'];

describe('the files of the package', () => {
  it('are few, and named by what they are for', () => {
    const standalone = scripts.filter(isStandalone).map(meaningOf);
    expect(standalone.sort()).toEqual([...ON_DEMAND, ...LANGUAGES, 'phone-data', 'start'].sort());
    const entries = scripts.filter((name) => !isStandalone(name)).map(meaningOf);
    const shared = ['start', 'common', 'oauth-params', 'widget', 'react-bindings', 'compat-core', 'compat-widget'];
    const forTests = ['provider-control'];
    const later = ['user-button', 'screens', ...WITHOUT_SCREENS];
    expect(entries.sort()).toEqual(
      [...ON_DEMAND, ...LANGUAGES, ...shared, ...later, ...forTests, ...FOR_SERVERS].sort(),
    );
  });

  it('are none of less than 2 KiB', () => {
    // In the npm entries, the weight of the QR code is in the package that it imports. The explanation of a failed request loads only then.
    // The binding of a login loads without screens, and in projects that require two factors alone.
    // No page loads the files that a build writes beside a prerendered login. A passkey without a question follows few logins.
    const own = scripts.filter(
      (name) =>
        !/^qr-code-|^login-binding-|^package-files-|^(?:standalone-)?(?:unreachable|silent-passkeys)-/u.test(name),
    );
    expect(own.filter((name) => statSync(join(CHUNKS, name)).size < 2048)).toEqual([]);
  });

  it('import each other in no circle, and nothing that is on demand at the start', () => {
    const reached = (name: string, path: readonly string[] = []): readonly string[] => {
      if (path.includes(name)) throw new Error(`circle: ${[...path, name].join(' > ')}`);
      return [name, ...importsOf(name).flatMap((next) => reached(next, [...path, name]))];
    };
    const lazy = new Set([...ON_DEMAND, ...LANGUAGES, 'user-button', 'screens', ...WITHOUT_SCREENS]);
    for (const name of scripts) {
      const all = reached(name).map(meaningOf);
      if (!FOR_SERVERS.includes(meaningOf(name))) expect(all.filter((one) => FOR_SERVERS.includes(one))).toEqual([]);
      if (![...lazy, ...FOR_SERVERS, 'phone-data'].includes(meaningOf(name))) {
        expect(all.filter((one) => lazy.has(one))).toEqual([]);
      }
    }
  });

  it('are few for a page that keeps a session: its code loads no login', () => {
    for (const name of scripts.filter((one) => meaningOf(one) === 'session')) {
      expect(
        importsOf(name)
          .map(meaningOf)
          .filter((one) => !['start', 'common'].includes(one)),
      ).toEqual([]);
    }
  });

  it('hold nothing on demand that an import of an adapter would load', () => {
    const imported = [...readFileSync(join(ROOT, 'dist/adapters.js'), 'utf8').matchAll(/from "\.\/chunks\/([^"]+)"/gu)];
    expect(imported.map(([, file]) => meaningOf(file ?? '')).sort()).toEqual(['common', 'start']);
  });

  it('show no React to a client without a widget', () => {
    for (const name of scripts.filter((one) =>
      /^(?:start|common|login|login-binding|session|authorization|webauthn|wallet-providers|third-party-scripts)-/u.test(
        one,
      ),
    )) {
      expect([name, /from "react/u.exec(read(name))?.[0] ?? null]).toEqual([name, null]);
      expect(
        importsOf(name)
          .map(meaningOf)
          .filter((one) => ['widget', 'screens'].includes(one)),
      ).toEqual([]);
    }
  });
});
