import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { endingOf, named, SocialFailure } from './social-provider.ts';
import { at } from './profiles.ts';

const MOST_CAUSES = 6;

/** An error of `openid-client` or `jose` as the end of the login. The reason names codes and claims, never their values. */
export function failureOf(error: unknown): SocialFailure {
  const chain: unknown[] = [];
  for (let next = error; next instanceof Error && chain.length < MOST_CAUSES; next = next.cause) chain.push(next);
  // An outage, which the fetch has described.
  const known = chain.find((each) => each instanceof SocialFailure);
  if (known !== undefined) return known;
  if (error instanceof AuthorizationResponseError) {
    return new SocialFailure(endingOf(error.error), `it answered with an error${named(error.error)}`);
  }
  if (error instanceof ResponseBodyError) return refused(error.error);
  const claim = chain.map((each) => at((each as Error).cause, 'claim')).find((each) => typeof each === 'string');
  if (claim !== undefined)
    return new SocialFailure('server_error', `its ID token is not for this login${named(claim)}`);
  if (error instanceof ClientError)
    return new SocialFailure('server_error', `its reply is not valid${named(error.code)}`);
  return new SocialFailure('server_error', 'its reply cannot be used', { cause: error });
}

/** The token endpoint refused the code, or the client. */
export function refused(error: unknown): SocialFailure {
  const hint = error === 'invalid_client' ? ': compare client_id and client_secret with those at the provider' : '';
  const ending = error === 'temporarily_unavailable' ? error : 'server_error';
  return new SocialFailure(ending, `its token endpoint refused the request${named(error)}${hint}`);
}
