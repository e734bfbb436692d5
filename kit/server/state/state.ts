import { originOf } from '#server-rules/sign-in-message.ts';
import { checkedSettings } from './checked-settings.ts';
import type { ClockPort } from '#application/ports/index.ts';
import type { AppRules } from '#server-rules/connected-apps.ts';
import { LINK_LIMITS, MINUTE_MS, SESSION_LIMITS, type SessionLimits } from '#domain/rules/lifetimes.ts';
import { DEFAULT_LUDS } from '#domain/passwords/password-strength.ts';
import { shownMfaSettings } from '#server-rules/mfa-policy.ts';
import type { PasskeyRules } from '#server-rules/passkeys.ts';
import type { PasswordPolicy } from '#server-rules/passwords.ts';
import type { AcceptedTerms } from '#server-rules/profile.ts';
import { checkChallenge, checkLinkChallenge, needsChallenge, verifierFor } from '#server-rules/proof-key.ts';
import { OPEN_TO_ALL } from '#server-rules/sign-ups.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { DefaultRedirects, LinkLimit, RegisteredPages } from '#domain/rules/redirects.ts';
import type { RbacPolicy } from '#domain/project/rbac-policy.ts';
import { isRecord } from '#domain/shape.ts';
import type { User } from '#domain/users/user.ts';
import { FAKE_PAGE } from '../../ports/fake-browser.ts';
import type {
  AccessToken,
  AuthorizationCode,
  Ceremony,
  Consent,
  DeviceRow,
  FakeMessage,
  FakeSettings,
  Impersonation,
  IntermediateSession,
  Link,
  LiveSession,
  OAuthAttachToken,
  OAuthReturn,
  Passcode,
  Passkey,
  PendingRegistration,
  Totp,
  RecoveryRow,
  TrustedDeviceRow,
  TrustedToken,
  WalletChallenge,
} from './tables.ts';

const NO_POLICY: RbacPolicy = { roles: [], resources: [], scopes: [] };

/** The project's settings in the form of `server-rules`. */
type ProjectRules = RegisteredPages & DefaultRedirects & LinkLimit & AppRules & PasswordPolicy & PasskeyRules;

/** The complete state of the fake server. Its areas have no further state. */
export class ServerState {
  /** The session JWTs that may be returned again, by their content. */
  readonly jwts = new Map<string, { readonly jwt: string; readonly at: number }>();
  /** Newest first. */
  readonly inbox: FakeMessage[] = [];
  /** The reply of bootstrap. */
  readonly project: Record<string, unknown> = {
    project_name: 'Fake project',
    disable_sdk_watermark: true,
    pkce_required_for_email_magic_links: false,
    pkce_required_for_password_resets: false,
    pkce_required_for_oauth: false,
    pkce_required_for_sso: false,
  };
  readonly settings: FakeSettings = checkedSettings(
    {
      origins: null,
      redirectUrls: null,
      defaultRedirectUrl: FAKE_PAGE,
      allowLoopback: true,
      clients: [],
      roleAssignments: [],
      trustedProfiles: [],
      breachedPasswords: ['password', 'Password123', '12345678', 'qwertyuiop'],
      sessionMaxMinutes: SESSION_LIMITS.session_max_minutes,
      sessionAbsoluteMinutes: SESSION_LIMITS.session_absolute_minutes,
      httpOnlySessions: false,
      linkMaxMinutes: LINK_LIMITS.link_max_minutes,
      mfa: null,
      profile: null,
      accountDeletion: true,
      passkeySignUp: false,
      signUp: OPEN_TO_ALL,
    },
    () => this.project['rbac_policy'],
  );
  /** By user id, like every table without a comment. */
  readonly users = new Map<string, User>();
  readonly acceptedTerms = new Map<string, AcceptedTerms>();
  readonly passwords = new Map<string, string>();
  readonly totps = new Map<string, Totp>();
  /** By session id. */
  readonly sessions = new Map<string, LiveSession>();
  /** By `passcode_id`, in the order of sending. */
  readonly codes = new Map<string, Passcode>();
  /** By token. */
  readonly links = new Map<string, Link>();
  /** By challenge. */
  readonly ceremonies = new Map<string, Ceremony>();
  /** By credential id. */
  readonly passkeys = new Map<string, Passkey>();
  /** By the challenge's text. */
  readonly walletChallenges = new Map<string, WalletChallenge>();
  /** The expiry time of each One Tap callback, by its id. */
  readonly callbacks = new Map<string, number>();
  /** Social accounts that wait for the second factor, by session id and provider. */
  readonly pendingRegistrations = new Map<string, PendingRegistration>();
  /** By token, like the next seven tables, except `recoveries`, which is by user id. */
  readonly returns = new Map<string, OAuthReturn>();
  readonly intermediates = new Map<string, IntermediateSession>();
  readonly trustedDevices = new Map<string, TrustedDeviceRow>();
  readonly recoveries = new Map<string, RecoveryRow>();
  readonly attachTokens = new Map<string, OAuthAttachToken>();
  readonly impersonations = new Map<string, Impersonation>();
  readonly trustedTokens = new Map<string, TrustedToken>();
  readonly accessTokens = new Map<string, AccessToken>();
  /** By code. */
  readonly authorizationCodes = new Map<string, AuthorizationCode>();
  /** By device code. */
  readonly devices = new Map<string, DeviceRow>();
  /** By user id and client id. */
  readonly consents = new Map<string, Consent>();
  /** The ids of the users who have come in: a request for a message makes a user, too. */
  readonly cameIn = new Set<string>();
  /** The session in which a factor was added, by the factor's id. */
  readonly addedIn = new Map<string, string>();
  /** The session of a user's sign-up with a passkey. */
  readonly unprovenIn = new Map<string, string>();
  /**
   * The ids of the factors in `addedIn` that count as older than the session: those of its sign-up, and a password that was set with a
   * proof of the previous one.
   */
  readonly olderThanSession = new Set<string>();
  private readonly addedIds = new Map<string, string>();
  private counter = 0;

  constructor(
    private readonly clock: Pick<ClockPort, 'now'>,
    /** The S256 challenge of a verifier (RFC 7636, section 4.2). */
    private readonly challengeOf: (verifier: string) => Promise<string>,
  ) {}

  /**
   * The project's settings in the form of `server-rules`.
   *
   * @param page the URL to register if the settings allow every URL
   */
  rules(page: string = this.settings.defaultRedirectUrl): ProjectRules {
    const { origins, redirectUrls, defaultRedirectUrl: target, allowLoopback, clients } = this.settings;
    const { rbac_policy: policy, password_config: luds, passkey_domain: domain } = this.project;
    return {
      origins: origins ?? [originOf(page) ?? page],
      redirect_urls: redirectUrls ?? [page, target],
      allow_loopback: allowLoopback,
      default_login_redirect_url: target,
      default_signup_redirect_url: target,
      default_reset_password_redirect_url: target,
      link_max_minutes: this.settings.linkMaxMinutes,
      clients,
      rbac_policy: { ...NO_POLICY, ...(isRecord(policy) ? policy : {}) },
      password_strength_policy: isRecord(luds) ? 'luds' : 'zxcvbn',
      luds_complexity: Number(isRecord(luds) ? luds['luds_complexity'] : DEFAULT_LUDS.ludsComplexity),
      luds_minimum_count: Number(isRecord(luds) ? luds['luds_minimum_count'] : DEFAULT_LUDS.ludsMinimumCount),
      breach_detection: true,
      passkey_domain: typeof domain === 'string' ? domain : null,
    };
  }

  private get pkce() {
    const on = (flow: string): boolean => this.project[`pkce_required_for_${flow}`] === true;
    return {
      pkce_required_for_email_magic_links: on('email_magic_links'),
      pkce_required_for_password_resets: on('password_resets'),
    };
  }

  /** The reply of bootstrap. A reset needs a challenge if its own setting or that of links requires one. */
  bootstrap(): object {
    const needed = needsChallenge(this.pkce, { purpose: 'reset_password', began_on_page: true });
    const mfa = shownMfaSettings(this.settings.mfa);
    return {
      account: {
        deletion: this.settings.accountDeletion,
        ...(this.settings.profile !== null && { asks_profile: true }),
      },
      ...this.project,
      ...(needed && { pkce_required_for_password_resets: true }),
      ...(mfa !== undefined && { mfa }),
    };
  }

  /** Refuses to send a link without the challenge that the project requires for its purpose. */
  checkChallengeFor(purpose: Link['purpose'], challenge: string | undefined): void {
    checkChallenge(challenge, needsChallenge(this.pkce, { purpose, began_on_page: true }));
  }

  /** Refuses a verifier that does not match the link's challenge, and a link without the challenge that the project requires. */
  async checkLink({ purpose, challenge }: Link, codeVerifier: string | undefined): Promise<void> {
    await this.checkVerifier(challenge, codeVerifier);
    checkLinkChallenge(this.pkce, { purpose, began_on_page: true, code_challenge: challenge });
  }

  limits(): SessionLimits {
    const { sessionMaxMinutes, sessionAbsoluteMinutes } = this.settings;
    return { session_max_minutes: sessionMaxMinutes, session_absolute_minutes: sessionAbsoluteMinutes };
  }

  now(): number {
    return this.clock.now();
  }

  /** The current time in the wire's format (RFC 3339). */
  stamp(): string {
    return new Date(this.now()).toISOString();
  }

  /** The expiry time of something that is created now, in milliseconds since 1970. */
  in(minutes: number): number {
    return this.now() + minutes * MINUTE_MS;
  }

  /** Refuses a verifier that does not match the flow's challenge. */
  async checkVerifier(challenge: string | null, codeVerifier: string | undefined): Promise<void> {
    const verifier = verifierFor(challenge, codeVerifier);
    if (verifier !== null && (await this.challengeOf(verifier)) !== challenge) throw new Refusal('pkce_mismatch');
  }

  /** True if the verifier matches the challenge, or if there is no challenge. */
  async matches(challenge: string | null, verifier: string | undefined): Promise<boolean> {
    return challenge === null || (await this.challengeOf(verifier ?? '')) === challenge;
  }

  /** The table's row for the key, unless it has expired. */
  live<Row extends { readonly expiresAt: number }>(table: ReadonlyMap<string, Row>, key: string): Row | undefined {
    const row = table.get(key);
    return row !== undefined && row.expiresAt > this.now() ? row : undefined;
  }

  /** The next number of a counter: unique, and the same on every run. */
  next(): number {
    this.counter += 1;
    return this.counter;
  }

  id(kind: string): string {
    return `${kind}-test-${this.next()}`;
  }

  /** The id of a contact after it is added to the user: the same for every message to it. */
  addedId(kind: string, userId: string, value: string): string {
    const key = `${userId} ${value}`;
    const id = this.addedIds.get(key) ?? this.id(kind);
    this.addedIds.set(key, id);
    return id;
  }
}
