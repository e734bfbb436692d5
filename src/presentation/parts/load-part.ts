import type { PartName } from './parts.ts';
import { addPart, partOf } from './registry.ts';

const LOADERS: { readonly [Name in PartName]: () => Promise<void> } = {
  login: async () => addPart('login', (await import('./login/part.ts')).login),
  social: async () => addPart('social', (await import('./social/part.ts')).social),
  phones: async () => addPart('phones', (await import('./phones/part.ts')).phones),
  passwords: async () => addPart('passwords', (await import('./passwords/part.ts')).passwords),
  wallets: async () => addPart('wallets', (await import('./wallets/part.ts')).wallets),
  passkeys: async () => addPart('passkeys', (await import('./passkeys/part.ts')).passkeys),
  consent: async () => addPart('consent', (await import('./consent/part.ts')).consent),
};

/** Loads a part. What failed to load is tried again by the next call. */
export async function loadPart(name: PartName): Promise<void> {
  if (partOf(name) === null) await LOADERS[name]();
}
