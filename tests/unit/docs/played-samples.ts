/** The samples of `docs/headless.md` that have no file, and how a test runs one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import type { openTab } from '../../contract/flows/world.ts';
import { allExamples } from './examples.ts';

type Client = ReturnType<typeof openTab>['client'];

/** What stands in a sample where a page has a value of its own, and the expression over `given` that brings it. */
export type Replacements = readonly (readonly [written: string, expression: string])[];

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-headless-'));
export const removeSamples = (): void => rmSync(dir, { recursive: true, force: true });

/** Each sample by the words it begins with: the page's examples that have no file. */
export const samples = allExamples().filter(
  ({ page, file, language }) => page === 'docs/headless.md' && file === null && language === 'ts',
);
/** What each sample is told by; the tests run every one of them, those of calls that the flows on the provider play too in soaks. */
export const WORDS = [
  'client.session.getSync()',
  'client.session.updateSession',
  'login.mfa',
  'otps.sms.loginOrCreate',
  'magicLinks.email.loginOrCreate',
  'github.start({ login_redirect_url',
  'oauth.google.start',
  'oauth.attach',
  'passwords.strengthCheck',
  'webauthn.register',
  'extensions: { prf',
  'cryptoWallets.logIn',
  'cryptoWallets.authenticateStart',
  'totps.create',
  'client.user.update',
  'otps.email.send(',
  'client.user.deleteAccount',
  'client.session.list()',
  'rbac.allPermissions',
  'parseOAuthAuthorizeParams(',
  'client.idp.authorize(',
  'isAuthError(error)',
  'needsSecondFactor(error)',
] as const;

let files = 0;

const LOCATION = { origin: 'http://localhost:3000', search: '', assign: (_url: string) => undefined };

/** Runs the sample that holds those words, on a client and with what it needs. */
export async function play(
  words: (typeof WORDS)[number],
  client: Client,
  given: object = {},
  replacements: Replacements = [],
): Promise<void> {
  const found = samples.filter(({ source }) => source.includes(words));
  expect(found, words).toHaveLength(1);
  let source = found[0]?.source ?? '';
  for (const [written, expression] of replacements) {
    expect(source, 'the sample has changed; change what is put in its place').toContain(written);
    source = source.replaceAll(written, expression);
  }
  const imports = source.match(/^import .*$/gmu) ?? [];
  const body = source.replaceAll(/^import .*$/gmu, '');
  const file = join(dir, `sample-${(files += 1)}.ts`);
  writeFileSync(
    file,
    `${imports.join('\n')}\nexport async function run(client: any, given: any, location: any, confirm: any) {\n${body}\n}\n`,
  );
  const { run } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    run(...args: readonly unknown[]): Promise<void>;
  };
  await run(client, given, { ...LOCATION, ...given }, () => true);
}
