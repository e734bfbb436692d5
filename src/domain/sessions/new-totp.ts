/** A new authenticator app before its first code. */
export interface NewTotp {
  readonly secret: string;
  /** The `otpauth:` address for its QR code. */
  readonly uri: string;
  readonly recoveryCodes: readonly string[];
}
