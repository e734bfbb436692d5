import * as client from 'openid-client';
import { CALLBACK, CLIENT, type Person, type Subject, type Visit } from './subject.ts';

/** What a case of the OpenID Foundation's plans plays with: a provider, an unmodified client of it, and a person. */
export interface CaseContext {
  readonly op: Subject;
  readonly party: client.Configuration;
  readonly person: Person;
  /** A person who is not logged in. */
  readonly stranger: Person;
}

export type Case = (context: CaseContext) => Promise<void>;

export async function partyAt(
  { issuer }: Subject,
  { id, secret }: typeof CLIENT = CLIENT,
  proof = client.ClientSecretBasic(secret),
): Promise<client.Configuration> {
  return client.discovery(issuer, id, undefined, proof, { execute: [client.allowInsecureRequests] });
}

export type Parameters = Readonly<Record<string, string | undefined>>;

export interface ClientRequest {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

/** A request of the client, and what it checks of the answer. An undefined parameter is left out. */
export function requestOf(party: client.Configuration, changes: Parameters = {}): ClientRequest {
  const [expectedState, nonce] = [client.randomState(), client.randomNonce()];
  const given = { redirect_uri: CALLBACK, scope: 'openid', state: expectedState, nonce, ...changes };
  const entries = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const url = client.buildAuthorizationUrl(party, Object.fromEntries(entries));
  const expectedNonce = given.nonce;
  const checks = { expectedState, idTokenExpected: true, ...(expectedNonce === undefined ? {} : { expectedNonce }) };
  return { url, checks };
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

export interface Login {
  readonly visit: Visit;
  readonly tokens: Tokens;
  readonly claims: client.IDToken;
}

/** The whole of an authorization: the request, the person's part, and the tokens for the code. */
export async function logIn(
  { party, person }: Pick<CaseContext, 'party' | 'person'>,
  changes: Parameters = {},
  { method = 'GET', maxAge }: { readonly method?: 'GET' | 'POST'; readonly maxAge?: number } = {},
): Promise<Login> {
  const { url, checks } = requestOf(party, changes);
  const visit = await person.visit(url, method);
  if (visit.answer === null) throw new Error(`a page with status ${visit.status}`);
  const all = maxAge === undefined ? checks : { ...checks, maxAge };
  const tokens = await client.authorizationCodeGrant(party, visit.answer, all);
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('no ID token');
  return { visit, tokens, claims };
}

/** The error of an answer, after the client has checked its state and issuer. */
export async function errorOf(
  { party, person }: Pick<CaseContext, 'party' | 'person'>,
  changes: Parameters,
): Promise<string> {
  const { url, checks } = requestOf(party, changes);
  const { answer } = await person.visit(url);
  if (answer === null) return 'a page';
  return client.authorizationCodeGrant(party, answer, checks).then(
    () => 'a code',
    (thrown: unknown) => (thrown instanceof client.AuthorizationResponseError ? thrown.error : String(thrown)),
  );
}
