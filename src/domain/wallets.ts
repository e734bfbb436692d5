/** What a Sign-In with Ethereum message may say (EIP-4361; field names are the wire's). Times are RFC 3339. */
export interface SiweParams {
  /** The page that asks; its origin unless given. */
  readonly uri?: string | undefined;
  readonly chain_id?: string | undefined;
  readonly issued_at?: string | undefined;
  readonly statement?: string | undefined;
  readonly not_before?: string | undefined;
  readonly message_request_id?: string | undefined;
  readonly resources?: readonly string[] | undefined;
}
