import { withFragment, withQuery } from '#server-rules/connected-apps.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isPrivateUseUri } from '#domain/safe-url.ts';
import { hasShape, type Infer, type Shape } from '#domain/shape.ts';
import type { Services } from '#provider/accounts/services.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { PATHS, PREFIX } from '../protocol/paths.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { RESPONSE_MODES, type ResponseMode } from '../protocol/response-mode-names.ts';
import { readSignedText, signText } from './signed-texts.ts';

/** Who gets the answer of an authorization. */
interface AnswerReceiver {
  readonly client: Pick<ConnectedAppSettings, 'agent'>;
  readonly redirect_uri: string;
}

/**
 * The mode of the answer. Agents that nobody checked cannot have a form: it comes from this server's origin, and the agent would choose
 * what is posted, and to which page of the same site, with that page's cookies.
 *
 * @throws OAuthError for an unknown mode, or one that the app or its redirect URI cannot have
 */
export function responseModeOf(mode: string | undefined, { client, redirect_uri }: AnswerReceiver): ResponseMode {
  const responseMode = RESPONSE_MODES.find((each) => each === (mode ?? 'query'));
  if (responseMode === undefined) {
    throw new OAuthError('invalid_request', `response_mode must be one of ${RESPONSE_MODES.join(', ')}.`);
  }
  if (responseMode === 'form_post' && isPrivateUseUri(redirect_uri)) {
    throw new OAuthError('invalid_request', 'A browser posts no form to such a redirect_uri.');
  }
  if (responseMode === 'form_post' && client.agent?.approved === false) {
    throw new OAuthError('invalid_request', 'No form is posted to an app that no operator approved.');
  }
  return responseMode;
}

/** The mode for an error: that of the request, if the app can have it. */
export function modeOrQuery(mode: string | undefined, receiver: AnswerReceiver): ResponseMode {
  try {
    return responseModeOf(mode, receiver);
  } catch {
    return 'query';
  }
}

/** The state can be long, so it is a separate part of the URL, and this has only its digest. */
const SIGNED_ANSWER = { redirect_uri: 'string', fields: 'object', state: 'string' } as const satisfies Shape;

/** The app's redirect URI, and the fields of the form. */
export type PostedAnswer = Pick<Infer<typeof SIGNED_ANSWER>, 'redirect_uri' | 'fields'>;

const digestOf = (state: string | undefined): string => (state === undefined ? '' : tokenHash(`state ${state}`));

/** Short, because the browser follows immediately. */
const KIND = { purpose: 'authorization answers', type: 'authorization-answer+jwt', lifetimeSeconds: 2 * 60 };

interface AnswerPlace {
  readonly redirect_uri: string;
  readonly mode: ResponseMode;
  /** The address of this server. */
  readonly issuer: string;
}

/** The next URL for the browser, which delivers the fields to the app. Undefined fields are left out. */
export async function answerAddress(
  services: Pick<Services, 'keys' | 'clock'>,
  { redirect_uri, mode, issuer }: AnswerPlace,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (mode === 'query') return withQuery(redirect_uri, fields);
  if (mode === 'fragment') return withFragment(redirect_uri, fields);
  const { state, ...rest } = fields;
  const content = { redirect_uri, fields: rest, state: digestOf(state) };
  const answer = await signText(services, KIND, content, services.clock.now());
  return withQuery(`${issuer}${PREFIX}${PATHS.formPost}`, { answer, state });
}

/** The answer that `answerAddress` signed. Refuses all others, so that this server never posts a stranger's data. */
export async function readPostedAnswer(
  services: Pick<Services, 'keys' | 'clock'>,
  params: URLSearchParams,
): Promise<PostedAnswer> {
  const answer = await readSignedText(services, KIND, params.get('answer') ?? '');
  const state = params.get('state') ?? undefined;
  if (!hasShape(SIGNED_ANSWER, answer) || answer.state !== digestOf(state)) {
    throw new Refusal('invalid_authorization_request');
  }
  const { redirect_uri, fields } = answer;
  return { redirect_uri, fields: { ...fields, ...(state === undefined ? {} : { state }) } };
}
