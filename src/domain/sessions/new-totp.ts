/** A new authenticator app before its first code. */
export interface NewTotp {
  readonly secret: string;
  /** The `otpauth:` URI for its QR code. */
  readonly uri: string;
  readonly recoveryCodes: readonly string[];
}
