import { codeLoad } from '#domain/code-loads.ts';
import { type PartName, type Parts, addPart, partOf } from './parts.ts';

const LOADERS: { readonly [Name in PartName]: () => Promise<{ readonly part: Parts[Name] }> } = {
  login: () => import('./login/login.ts'),
  marks: async () => import('./marks/marks.ts'),
  mails: () => import('./mails/mails.ts'),
  phones: () => import('./phones/phones.ts'),
  passwords: () => import('./passwords/passwords.ts'),
  wallets: () => import('./wallets/wallets.ts'),
  passkeys: () => import('./passkeys/passkeys.ts'),
  factors: () => import('./factors/factors.ts'),
  consent: () => import('./consent/consent.ts'),
  account: () => import('./account/account.ts'),
};

/**
 * Loads a part, and the login with it, because the screens of every part need the login's style sheet before theirs. After a failure, the
 * next call tries again. Rendering reads the loaded parts in `parts.ts`, which contains no `import()`, so that the files do not form a
 * circle.
 */
export async function loadPart(name: PartName): Promise<void> {
  if (partOf(name) !== null) return;
  const load: Promise<{ readonly part: Parts[PartName] }> = LOADERS[name]();
  const [{ part }] = await Promise.all([codeLoad(load), name === 'login' ? undefined : loadPart('login')]);
  addPart(name, part);
}
