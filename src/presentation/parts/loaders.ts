import { useEffect, useState } from 'react';
import type { PartName } from './part-names.ts';
import type * as emailedPart from './login/part.ts';
import type * as passwordsPart from './passwords/part.ts';
import type * as walletsPart from './wallets/part.ts';
import type * as phonePart from './phones/part.ts';
import type * as socialPart from './social/part.ts';
import type * as passkeysPart from './passkeys/part.ts';
import type * as consentPart from './consent/part.ts';

interface Parts {
  readonly emailed: typeof emailedPart;
  readonly passwords: typeof passwordsPart;
  readonly wallets: typeof walletsPart;
  readonly phone: typeof phonePart;
  readonly social: typeof socialPart;
  readonly passkeys: typeof passkeysPart;
  readonly consent: typeof consentPart;
}

const LOADERS: { readonly [Name in PartName]: () => Promise<Parts[Name]> } = {
  emailed: () => import('./login/part.ts'),
  passwords: () => import('./passwords/part.ts'),
  wallets: () => import('./wallets/part.ts'),
  phone: () => import('./phones/part.ts'),
  social: () => import('./social/part.ts'),
  passkeys: () => import('./passkeys/part.ts'),
  consent: () => import('./consent/part.ts'),
};

/** Code that has arrived stays: the same for every widget of a page. */
const arrived: { -readonly [Name in PartName]?: Parts[Name] } = {};

/** A part that has arrived, or null; a rendering follows when it does. */
export function partOf<Name extends PartName>(name: Name): Parts[Name] | null {
  return arrived[name] ?? null;
}

/** Loads a part. What failed to load is tried anew by the next call. */
export async function loadPart<Name extends PartName>(name: Name): Promise<Parts[Name]> {
  const part = arrived[name] ?? (await LOADERS[name]());
  Object.assign(arrived, { [name]: part });
  return part;
}

/**
 * Loads the parts, and renders again as each arrives. Where the `needed` one cannot be loaded, the rendering throws,
 * and the error screen's way back tries again.
 */
export function useParts(ahead: readonly PartName[], needed: PartName | null): void {
  const [, rerender] = useState<object>({});
  const names = ahead.join(' ');
  useEffect(() => {
    let gone = false;
    const load = async (name: PartName): Promise<void> => {
      if (partOf(name) !== null) return;
      try {
        await loadPart(name);
        if (!gone) rerender({});
      } catch (error) {
        if (gone || needed !== name) return;
        rerender(() => {
          throw error;
        });
      }
    };
    for (const name of names.split(' ')) void load(name as PartName);
    return () => {
      gone = true;
    };
  }, [names, needed]);
}
