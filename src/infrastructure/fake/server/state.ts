import type { ClockPort } from '../../../application/ports/index.ts';
import type { User } from '../../../domain/user.ts';
import type {
  AccessToken,
  AuthorizationCode,
  Ceremony,
  Consent,
  FakeMessage,
  FakeSettings,
  Impersonation,
  Link,
  LiveSession,
  OAuthReturn,
  Passcode,
  Passkey,
  Totp,
  TrustedToken,
  WalletChallenge,
} from './tables.ts';

export const MINUTE_MS = 60_000;

/** All that the fake server knows. Its areas keep nothing of their own. */
export class ServerState {
  /** Newest first. */
  readonly inbox: FakeMessage[] = [];
  /** What bootstrap answers. */
  readonly project: Record<string, unknown> = {
    project_name: 'Fake project',
    disable_sdk_watermark: true,
    pkce_required_for_email_magic_links: false,
    pkce_required_for_password_resets: false,
    pkce_required_for_oauth: false,
    pkce_required_for_sso: false,
  };
  readonly settings: FakeSettings = {
    origins: null,
    redirectUrls: null,
    defaultRedirectUrl: 'http://localhost:3000/',
    clients: [],
    roleAssignments: [],
    trustedProfiles: [],
    breachedPasswords: ['password', 'Password123', '12345678', 'qwertyuiop'],
  };
  /** By user id, as every table that says nothing else. */
  readonly users = new Map<string, User>();
  readonly passwords = new Map<string, string>();
  readonly totps = new Map<string, Totp>();
  /** By session id. */
  readonly sessions = new Map<string, LiveSession>();
  /** By the id of the send, in the order of sending. */
  readonly codes = new Map<string, Passcode>();
  /** By token. */
  readonly links = new Map<string, Link>();
  /** By challenge. */
  readonly ceremonies = new Map<string, Ceremony>();
  /** By credential id. */
  readonly passkeys = new Map<string, Passkey>();
  /** By the challenge's text. */
  readonly walletChallenges = new Map<string, WalletChallenge>();
  /** When each live callback of One Tap is over, by its id. */
  readonly callbacks = new Map<string, number>();
  /** By token, as the three that follow. */
  readonly returns = new Map<string, OAuthReturn>();
  readonly impersonations = new Map<string, Impersonation>();
  readonly trustedTokens = new Map<string, TrustedToken>();
  readonly accessTokens = new Map<string, AccessToken>();
  /** By code. */
  readonly authorizationCodes = new Map<string, AuthorizationCode>();
  /** By user id and client id. */
  readonly consents = new Map<string, Consent>();
  private made = 0;

  constructor(
    private readonly clock: Pick<ClockPort, 'now'>,
    /** The S256 challenge of a verifier (RFC 7636, section 4.2). */
    readonly challengeOf: (verifier: string) => Promise<string>,
  ) {}

  now(): number {
    return this.clock.now();
  }

  /** The time of now, as the wire writes times. */
  stamp(): string {
    return new Date(this.now()).toISOString();
  }

  /** When something made now is over. */
  in(minutes: number): number {
    return this.now() + minutes * MINUTE_MS;
  }

  /** Counts everything that is made: no two are alike, and every run makes the same. */
  next(): number {
    this.made += 1;
    return this.made;
  }

  id(kind: string): string {
    return `${kind}-test-${this.next()}`;
  }
}
