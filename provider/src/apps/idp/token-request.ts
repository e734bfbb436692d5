import type { Form } from './form.ts';

/** The fields of a token request, besides those that authenticate the app. */
export interface TokenRequest {
  readonly form: Form;
  readonly issuer: string;
  /** The thumbprint of the key that the app proved to have (RFC 9449); null without a proof. */
  readonly jkt: string | null;
}
