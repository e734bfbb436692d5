/** What a hook decided about a sign-up or login that it did not refuse. */
export interface HookDecision {
  /** Whether the login needs a second factor, whatever the policy says. */
  readonly require_factor: boolean;
  /** Roles of the project that the user gets in addition. */
  readonly roles: readonly string[];
  /** Merged into the user's metadata. */
  readonly trusted_metadata: Readonly<Record<string, unknown>>;
}

/** The decision of a hook that has not answered, where logins go on. */
export const NO_ADDITIONS: HookDecision = { require_factor: false, roles: [], trusted_metadata: {} };
