import { type PartName, type Parts, addPart, partOf } from './parts.ts';

const LOADERS: { readonly [Name in PartName]: () => Promise<{ readonly part: Parts[Name] }> } = {
  login: () => import('./login/login.ts'),
  marks: async () => import('./marks/marks.ts'),
  mails: () => import('./mails/mails.ts'),
  phones: () => import('./phones/phones.ts'),
  passwords: () => import('./passwords/passwords.ts'),
  wallets: () => import('./wallets/wallets.ts'),
  passkeys: () => import('./passkeys/passkeys.ts'),
  consent: () => import('./consent/consent.ts'),
  account: () => import('./account/account.ts'),
};

/** Loads a part. After a failure, the next call tries again. */
export async function loadPart(name: PartName): Promise<void> {
  if (partOf(name) === null) addPart(name, (await LOADERS[name]()).part);
}
