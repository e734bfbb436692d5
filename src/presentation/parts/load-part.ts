import type { PartName } from './parts.ts';
import { addPart, partOf } from './registry.ts';

const LOADERS: { readonly [Name in PartName]: () => Promise<void> } = {
  login: async () => addPart('login', (await import('./login/login.ts')).login),
  social: async () => addPart('social', (await import('./social/social.ts')).social),
  phones: async () => addPart('phones', (await import('./phones/phones.ts')).phones),
  passwords: async () => addPart('passwords', (await import('./passwords/passwords.ts')).passwords),
  wallets: async () => addPart('wallets', (await import('./wallets/wallets.ts')).wallets),
  passkeys: async () => addPart('passkeys', (await import('./passkeys/passkeys.ts')).passkeys),
  consent: async () => addPart('consent', (await import('./consent/consent.ts')).consent),
};

/** Loads a part. What failed to load is tried again by the next call. */
export async function loadPart(name: PartName): Promise<void> {
  if (partOf(name) === null) await LOADERS[name]();
}
