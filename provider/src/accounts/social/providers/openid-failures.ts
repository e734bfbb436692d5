import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { endingOf, codeSuffix, SocialFailure } from './social-provider.ts';
import { at } from './profiles.ts';

const MOST_CAUSES = 6;

/**
 * Converts an error of `openid-client` or `jose` into the failure of the login. The reason names codes and claims but not their values. The
 * exception is an issuer that differs from the project’s own by a slash.
 */
export function failureOf(error: unknown): SocialFailure {
  const chain: unknown[] = [];
  for (let next = error; next instanceof Error && chain.length < MOST_CAUSES; next = next.cause) chain.push(next);
  // An outage: the fetch has described it.
  const failure = chain.find((each) => each instanceof SocialFailure);
  if (failure !== undefined) return failure;
  if (error instanceof AuthorizationResponseError) {
    return new SocialFailure(endingOf(error.error), `it answered with an error${codeSuffix(error.error)}`);
  }
  if (error instanceof ResponseBodyError) return tokenFailure(error.error);
  const issuer = chain.map((each) => otherIssuer((each as Error).cause)).find((each) => each !== undefined);
  if (issuer !== undefined) return new SocialFailure('server_error', issuer);
  const claim = chain.map((each) => at((each as Error).cause, 'claim')).find((each) => typeof each === 'string');
  if (claim !== undefined)
    return new SocialFailure('server_error', `its ID token is not for this login${codeSuffix(claim)}`);
  if (error instanceof ClientError)
    return new SocialFailure('server_error', `its reply is not valid${codeSuffix(error.code)}`);
  return new SocialFailure('server_error', 'its reply cannot be used', { cause: error });
}

const withoutSlash = (address: string): string => (address.endsWith('/') ? address.slice(0, -1) : address);

/** How the issuer of a discovery document is wrong, from the cause of the library's error. */
function otherIssuer(cause: unknown): string | undefined {
  const [expected, issuer] = [at(cause, 'expected'), at(at(cause, 'body'), 'issuer')];
  if (at(cause, 'attribute') !== 'issuer' || typeof expected !== 'string' || typeof issuer !== 'string')
    return undefined;
  if (withoutSlash(expected) !== withoutSlash(issuer)) return 'its discovery document names another issuer';
  return `its issuer is ${issuer}, ${issuer.endsWith('/') ? 'with' : 'without'} a slash at the end: write it so in the project`;
}

/** The token endpoint refused the code, or the client. */
export function tokenFailure(error: unknown): SocialFailure {
  const hint = error === 'invalid_client' ? ': compare client_id and client_secret with those at the provider' : '';
  const ending = error === 'temporarily_unavailable' ? error : 'server_error';
  return new SocialFailure(ending, `its token endpoint refused the request${codeSuffix(error)}${hint}`);
}
