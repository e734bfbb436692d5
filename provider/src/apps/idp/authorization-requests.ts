import type { AuthorizationSubmission, RequestArrival } from '../../../../src/domain/rules/authorization.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { hasShape, type Infer, type Shape } from '../../../../src/domain/shape.ts';
import type { Services } from '../../accounts/services.ts';
import { scopesIn } from './form.ts';
import { readSignedText, signText } from './signed-texts.ts';

const CHECKED_REQUEST = {
  client_id: 'string',
  redirect_uri: 'string',
  response_type: 'string',
  /** Absent for `query`. */
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
  /** The arrival of the rules. */
  at: 'number',
  subject: 'string?',
  /** The APIs of the tokens; absent in the requests of earlier versions. */
  audiences: 'string[]?',
} as const satisfies Shape;

/**
 * A request as the authorization endpoint checked it. It travels through the browser in `authorization_request` of the page's
 * query, so that a request that comes to nothing is not stored.
 */
export type CheckedRequest = Infer<typeof CHECKED_REQUEST>;

/** So long a person may take to sign up or log in. */
const KIND = { purpose: 'authorization requests', type: 'authorization-request+jwt', lifetimeSeconds: 60 * 60 };

/** The request as a signed text, which only this project's servers can make. */
export const signRequest = async (services: Pick<Services, 'keys'>, request: CheckedRequest): Promise<string> =>
  signText(services, KIND, request, request.at);

async function readRequest(services: Pick<Services, 'keys' | 'clock'>, text: string): Promise<CheckedRequest | null> {
  const request = await readSignedText(services, KIND, text);
  return hasShape(CHECKED_REQUEST, request) ? request : null;
}

const wordsIn = (text: string | undefined): readonly string[] => (text ?? '').split(' ').filter((word) => word !== '');

/** The submission of a page, with the request that the authorization endpoint signed. */
export type Submission = AuthorizationSubmission & {
  readonly client_id: string;
  readonly state?: string | undefined;
  readonly nonce?: string | undefined;
  /** The key that must redeem the code; of a signed request only. */
  readonly dpop_jkt?: string | undefined;
  /** How the app gets the answer; of a signed request only, else in the query. */
  readonly response_mode?: string | undefined;
  /** The APIs of the tokens; of a signed request only. Any other request is for the project's own API. */
  readonly audiences?: readonly string[] | undefined;
  readonly authorization_request?: string | undefined;
};

export interface OpenedRequest<Body> {
  readonly body: Body;
  readonly arrival: RequestArrival | null;
}

/**
 * The request that counts: the signed one, if there is one. The page may leave scopes out, and may require a question to the user.
 * Refuses a signed request that was changed, has expired or is of another app than the page shows.
 */
export async function openRequest<Body extends Submission>(
  services: Pick<Services, 'keys' | 'clock'>,
  body: Body,
): Promise<OpenedRequest<Body>> {
  const { authorization_request: text } = body;
  if (text === undefined) return { body, arrival: null };
  const signed = await readRequest(services, text);
  const scopes = scopesIn(signed?.scope ?? '');
  const isShown =
    signed?.client_id === body.client_id &&
    signed.redirect_uri === body.redirect_uri &&
    body.scopes.every((scope) => scopes.includes(scope));
  if (signed === null || !isShown) throw new Refusal('invalid_authorization_request');
  const { at, subject, scope: _, prompt, ...counting } = signed;
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
