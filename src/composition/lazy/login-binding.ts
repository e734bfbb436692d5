import type { CookiePlace } from '../../application/session/cookie-options.ts';
import { LoginBinding } from '../../application/session/login-binding.ts';
import type { StartServices } from '../../application/services.ts';
import type { Project } from '../../application/use-cases/project.ts';
import type { ClientKeys } from '../../application/wire/client-keys.ts';

/** The binding of a client's logins, for projects that require two factors. */
export function bindingOf(
  { storage, crypto, cookies, clock }: Pick<StartServices, 'storage' | 'crypto' | 'cookies' | 'clock'>,
  keys: ClientKeys,
  place: CookiePlace,
  project: Pick<Project, 'lastKnown'>,
): LoginBinding {
  return new LoginBinding(
    storage,
    crypto,
    cookies,
    clock,
    keys,
    place,
    () => project.lastKnown().mfa?.trusted_device_days ?? null,
  );
}
