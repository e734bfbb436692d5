import type { GoodProof } from '../../../accounts/sessions/proofs/proofs.ts';
import type { Form } from '../protocol/form.ts';

/** The fields of a token request, besides those that authenticate the app. */
export interface TokenRequest {
  readonly form: Form;
  readonly issuer: string;
  /** The proof of the app's key (RFC 9449), which is not used up yet; null for none. */
  readonly proof: GoodProof | null;
}
