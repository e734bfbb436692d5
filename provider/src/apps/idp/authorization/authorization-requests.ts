import { createHash } from 'node:crypto';
import type { AuthorizationSubmission, RequestArrival } from '#server-rules/authorization.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { hasShape, type Infer, type Shape } from '#domain/shape.ts';
import type { Services } from '#provider/accounts/services.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import { scopesIn } from '../protocol/form.ts';
import { readSignedText, signText } from './signed-texts.ts';

const CHECKED_REQUEST = {
  client_id: 'string',
  redirect_uri: 'string',
  response_type: 'string',
  /** Absent means `query`. */
  response_mode: 'string?',
  scope: 'string',
  prompt: 'string?',
  max_age: 'string?',
  state: 'string?',
  nonce: 'string?',
  code_challenge: 'string?',
  code_challenge_method: 'string?',
  dpop_jkt: 'string?',
  /** The required context; absent for any. */
  acr: 'string?',
  /** When the request arrived, for the rules. */
  at: 'number',
  subject: 'string?',
  /** The APIs of the tokens; absent in the requests of earlier versions. */
  audiences: 'string[]?',
} as const satisfies Shape;

/**
 * A request that the authorization endpoint has checked. It travels through the browser, in the page's query and in the signed text of
 * `authorization_request`, so that abandoned requests are not stored. A request that the client pushed is stored already, so
 * `authorization_request` is a reference to it.
 */
export type CheckedRequest = Infer<typeof CHECKED_REQUEST>;

/** How long a person may take to sign up or log in. */
const LIFETIME_SECONDS = 60 * 60;
const KIND = {
  purpose: 'authorization requests',
  type: 'authorization-request+jwt',
  lifetimeSeconds: LIFETIME_SECONDS,
};

/**
 * The signed content: the parameters that only this server reads, and digests of those in the page's query. Repeating those would double
 * the length of the URL.
 */
const SIGNED_REQUEST = {
  response_mode: 'string?',
  max_age: 'string?',
  code_challenge_method: 'string?',
  dpop_jkt: 'string?',
  acr: 'string?',
  at: 'number',
  subject: 'string?',
  audiences: 'string[]?',
  /** The digest of the app, its redirect URI and the prompt, which both calls of the page contain. */
  call: 'string',
  /** The digest of what the page submits with the user's choice. */
  secrets: 'string',
  scopes: 'string[]',
} as const satisfies Shape;

type RequestServices = Pick<Services, 'db' | 'keys' | 'clock'>;

/** The first 128 bits of a SHA-256. */
const digestOf = (...values: readonly (string | undefined)[]): string =>
  createHash('sha256')
    .update(JSON.stringify(values.map((value) => value ?? null)))
    .digest()
    .subarray(0, 16)
    .toString('base64url');

type PageCall = Pick<CheckedRequest, 'client_id' | 'redirect_uri' | 'response_type' | 'prompt'>;
type PageSecrets = Pick<CheckedRequest, 'state' | 'nonce' | 'code_challenge'>;

const callDigest = ({ client_id, redirect_uri, response_type, prompt }: PageCall): string =>
  digestOf(client_id, redirect_uri, response_type, prompt || undefined);

const secretsDigest = ({ state, nonce, code_challenge }: PageSecrets): string => digestOf(state, nonce, code_challenge);

/** The parameters of the page's query: those that the page of the specification reads. */
export function pageQuery(request: CheckedRequest): Readonly<Record<string, string | undefined>> {
  const { client_id, redirect_uri, response_type, scope, prompt, state, nonce, code_challenge } = request;
  return { client_id, redirect_uri, response_type, scope, prompt, state, nonce, code_challenge };
}

/** The other parameters as a signed text, which only this project's servers can make. */
export async function signRequest(services: Pick<Services, 'keys'>, request: CheckedRequest): Promise<string> {
  const { response_mode, max_age, code_challenge_method, dpop_jkt, acr, at, subject, audiences } = request;
  const scopes = scopesIn(request.scope).map((scope) => digestOf(scope));
  const digests = { call: callDigest(request), secrets: secretsDigest(request), scopes };
  const content = { response_mode, max_age, code_challenge_method, dpop_jkt, acr, at, subject, audiences };
  return signText(services, KIND, { ...content, ...digests }, at);
}

/** A reference has no dot, so it differs from a signed text. It also differs from a `request_uri`, so that a visit cannot use it up. */
const referenceHash = (reference: string): string => tokenHash(`page ${reference}`);

/** Stores a request that the client pushed until the user has decided. Returns its reference for the page. */
export async function storeRequest(
  { db, random }: Pick<Services, 'db' | 'random'>,
  request: CheckedRequest,
): Promise<string> {
  const reference = newToken(random);
  await db
    .insertInto('pushed_requests')
    .values({
      request_hash: referenceHash(reference),
      client_id: request.client_id,
      parameters: JSON.stringify(request),
      expires_at: new Date(request.at + LIFETIME_SECONDS * 1000),
    })
    .execute();
  return reference;
}

async function storedRequest({ db, clock }: RequestServices, reference: string): Promise<CheckedRequest | null> {
  const row = await db
    .selectFrom('pushed_requests')
    .select('parameters')
    .where('request_hash', '=', referenceHash(reference))
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
  if (row === undefined) return null;
  const request: unknown = JSON.parse(row.parameters);
  return hasShape(CHECKED_REQUEST, request) ? request : null;
}

/** The two calls of the page: `start` shows the request, `submit` sends the user's choice. */
export type PageStep = 'start' | 'submit';

/** The prompts that the app may have requested. The page may have added `consent`. */
const promptsOf = (prompt: string | undefined): readonly (string | undefined)[] => {
  const words = wordsIn(prompt);
  const without = words.filter((word) => word !== 'consent').join(' ') || undefined;
  return words.at(-1) === 'consent' ? [prompt, without] : [prompt];
};

/** The request of a signed text, completed with the page's parameters. Null if these differ from the app's request. */
async function signedRequest(
  services: RequestServices,
  body: Submission,
  step: PageStep,
): Promise<CheckedRequest | null> {
  const payload = await readSignedText(services, KIND, body.authorization_request ?? '');
  if (!hasShape(SIGNED_REQUEST, payload)) return null;
  const { call, secrets, scopes, ...rest } = payload;
  const prompt = promptsOf(body.prompt).find((each) => callDigest({ ...body, prompt: each }) === call);
  const isSame = callDigest({ ...body, prompt }) === call && (step === 'start' || secretsDigest(body) === secrets);
  if (!isSame) return null;
  const { client_id, redirect_uri, response_type, state, nonce, code_challenge } = body;
  const scope = body.scopes.filter((each) => scopes.includes(digestOf(each))).join(' ');
  return { ...rest, client_id, redirect_uri, response_type, scope, prompt, state, nonce, code_challenge };
}

const wordsIn = (text: string | undefined): readonly string[] => (text ?? '').split(' ').filter((word) => word !== '');

/** The submission of a page, with the request that the authorization endpoint checked. */
export type Submission = AuthorizationSubmission & {
  readonly client_id: string;
  readonly state?: string | undefined;
  readonly nonce?: string | undefined;
  /** The key that must redeem the code; only in signed requests. */
  readonly dpop_jkt?: string | undefined;
  /** How the app gets the answer; only in signed requests. Otherwise in the query. */
  readonly response_mode?: string | undefined;
  /** The APIs of the tokens; only in signed requests. All others are for the project's own API. */
  readonly audiences?: readonly string[] | undefined;
  readonly authorization_request?: string | undefined;
};

export interface OpenedRequest<Body> {
  readonly body: Body;
  readonly arrival: RequestArrival | null;
}

/**
 * The effective request: the one that the authorization endpoint checked, if there is one. The page may leave out scopes, and may require
 * that the user is asked. Refuses a request that was changed, has expired or is of another app than the page shows.
 */
export async function openRequest<Body extends Submission>(
  services: RequestServices,
  body: Body,
  step: PageStep,
): Promise<OpenedRequest<Body>> {
  const { authorization_request: text } = body;
  if (text === undefined) return { body, arrival: null };
  const request = await (text.includes('.') ? signedRequest(services, body, step) : storedRequest(services, text));
  const scopes = scopesIn(request?.scope ?? '');
  const isShown =
    request?.client_id === body.client_id &&
    request.redirect_uri === body.redirect_uri &&
    body.scopes.every((scope) => scopes.includes(scope));
  if (request === null || !isShown) throw new Refusal('invalid_authorization_request');
  const { at, subject, scope: _, prompt, ...counting } = request;
  const prompts = new Set([...wordsIn(prompt), ...wordsIn(body.prompt).filter((word) => word === 'consent')]);
  const none = {
    response_mode: undefined,
    max_age: undefined,
    state: undefined,
    nonce: undefined,
    dpop_jkt: undefined,
    acr: undefined,
  };
  const unproven = { code_challenge: undefined, code_challenge_method: undefined };
  const opened = { ...body, ...none, ...unproven, ...counting, prompt: [...prompts].join(' ') };
  return { body: opened, arrival: { at, subject } };
}
