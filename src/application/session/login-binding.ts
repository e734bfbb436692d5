import { base64url } from '#domain/base64url.ts';
import { verifierFrom, VERIFIER_WORDS } from '#domain/links/pkce.ts';
import type { CookiesPort, ClockPort, CryptoPort, StoragePort } from '../ports/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';
import type { CookiePlace } from './cookie-options.ts';
import { markOf, valuesOf } from './session-cookies.ts';

/** The cookie that shows that a user trusts the browser. */
const DEVICE_COOKIE = 'stytch_trusted_device';
const DAY_MS = 86_400_000;

/** The fields that bind a two-factor login to this browser. */
export interface BindingFields {
  readonly mfa_code_challenge?: string;
  readonly mfa_code_verifier?: string;
  readonly trusted_device_token?: string | undefined;
  /** The page can ask for a profile (`mfa.profile`). */
  readonly asks_profile?: boolean;
}

/**
 * Binds a login that lacks a factor to this browser, like a proof key does for a link (RFC 7636): the first factor is sent with the
 * challenge of a verifier that stays here, the second with the verifier. Also stores the secret of a trusted browser. Only projects that
 * require two factors load it.
 */
export class LoginBinding {
  constructor(
    private readonly ports: {
      readonly storage: StoragePort;
      readonly crypto: CryptoPort;
      readonly cookies: CookiesPort;
      readonly clock: Pick<ClockPort, 'now'>;
    },
    private readonly keys: ClientKeys,
    private readonly place: CookiePlace,
    /** How many days a browser can be trusted. */
    private readonly days: () => number | null,
    /** The host's option `asksProfile`. */
    private readonly host: { readonly asksProfile: boolean | undefined },
    /** A widget that shows the missing steps of logins listens to them, and can ask for a profile. */
    private readonly steps: { readonly observed: boolean },
  ) {}

  /** @param isContinued whether the call has an intermediate session */
  async fields(isContinued: boolean): Promise<BindingFields> {
    const currentVerifier = this.ports.storage.get(this.key);
    const trusted_device_token = this.trusted() || undefined;
    const verifier = currentVerifier ?? verifierFrom(this.ports.crypto.words(VERIFIER_WORDS));
    this.ports.storage.set(this.key, verifier);
    const mfa_code_challenge = base64url(await this.ports.crypto.sha256(verifier));
    // Another first factor may continue the login, or begin a new one.
    return {
      mfa_code_challenge,
      trusted_device_token,
      ...((this.host.asksProfile || this.steps.observed) && { asks_profile: true }),
      ...(isContinued && { mfa_code_verifier: verifier }),
    };
  }

  /** Applies the reply of a login: stores a trusted browser's secret, and ends the binding with the login. */
  settle({
    session,
    trusted_device_token: token,
  }: {
    readonly session?: unknown;
    readonly trusted_device_token?: unknown;
  }): void {
    if (session) this.ports.storage.remove(this.key);
    if (typeof token === 'string' && token !== '') this.keep(token);
  }

  /** This project's secret among the cookies with that name. It moves with the session's cookies when their scope changes. */
  private trusted(): string {
    const all = valuesOf(this.ports.cookies, DEVICE_COOKIE);
    const { mark, isMoved } = this.readRecord();
    const token = all.find((each) => markOf(each) === mark) ?? all[0] ?? '';
    if (token !== '' && isMoved) this.keep(token);
    return token;
  }

  private keep(token: string): void {
    const days = this.days();
    if (days === null) return;
    const { cookies, clock, storage } = this.ports;
    const { scope } = this.place;
    const { isMoved, path, domain } = this.readRecord();
    if (isMoved) cookies.remove(DEVICE_COOKIE, { ...scope, path, domain });
    cookies.set(DEVICE_COOKIE, token, scope, clock.now() + days * DAY_MS);
    storage.set(this.deviceKey, [markOf(token), scope.path, scope.domain ?? ''].join(';'));
  }

  /** Where the secret is, according to this client's record, and a mark of it. A damaged record counts as none. */
  private readRecord() {
    const [mark = '', path = '', domain = '', ...rest] = (this.ports.storage.get(this.deviceKey) ?? '').split(';');
    const { scope } = this.place;
    const isKnown = path.startsWith('/') && rest.length === 0 && !/[=\p{Cc}]/u.test(path + domain);
    const isMoved = isKnown && (path !== scope.path || domain !== (scope.domain ?? ''));
    return { mark, isMoved, path, domain: domain || null };
  }

  private get deviceKey(): string {
    return this.keys.storage('trusted_device');
  }

  private get key(): string {
    return this.keys.storage('mfa_verifier');
  }
}
