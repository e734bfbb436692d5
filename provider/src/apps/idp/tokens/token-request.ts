import type { GoodProof } from '#provider/accounts/sessions/proofs/proofs.ts';
import type { Form } from '../protocol/form.ts';

/** The fields of a token request, except those that authenticate the app. */
export interface TokenRequest {
  readonly form: Form;
  readonly issuer: string;
  /** The proof of the app's key (RFC 9449), not used up yet; null if there is none. */
  readonly proof: GoodProof | null;
}
