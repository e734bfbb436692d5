import { damagedCredential } from '#server-rules/passkeys.ts';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { factsOf, isUserPresent, isUserVerified, type AuthenticatorFacts } from './authenticator-data.ts';

/** The fields of a credential that the fake checks. It does not verify signatures. */
export interface PresentedCredential {
  readonly id: string;
  readonly challenge: string;
  readonly origin: string;
  readonly attachment: string | undefined;
  readonly transports: readonly string[];
  readonly facts: AuthenticatorFacts;
  readonly isVerified: boolean;
  readonly isPresent: boolean;
}

export function parseCredential(json: string): PresentedCredential {
  const credential = parseJson(json);
  const response = isRecord(credential) ? credential['response'] : undefined;
  if (!isRecord(credential) || !isRecord(response)) throw damagedCredential('it must be the JSON of a credential');
  const { id, authenticatorAttachment: attachment } = credential;
  const { clientDataJSON: data, transports } = response;
  if (typeof id !== 'string') throw damagedCredential('id must be base64url');
  if (typeof data !== 'string') throw damagedCredential('clientDataJSON must be base64url');
  const client = parseJson(atob(data.replaceAll('-', '+').replaceAll('_', '/')));
  const { challenge, origin } = isRecord(client) ? client : {};
  if (typeof challenge !== 'string' || typeof origin !== 'string') {
    throw damagedCredential('clientDataJSON must be client data');
  }
  return {
    id,
    challenge,
    origin,
    attachment: typeof attachment === 'string' ? attachment : undefined,
    transports: Array.isArray(transports) ? transports : [],
    facts: factsOf(response),
    isVerified: isUserVerified(response),
    isPresent: isUserPresent(response),
  };
}
