import type { Form } from './form.ts';

/** What an app sends to the token endpoint, besides what proves the app. */
export interface TokenRequest {
  readonly form: Form;
  readonly issuer: string;
  /** The thumbprint of the key that the app proved to have (RFC 9449); null without a proof. */
  readonly jkt: string | null;
}
