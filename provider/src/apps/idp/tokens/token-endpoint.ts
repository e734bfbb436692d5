import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import type { Services, SessionServices } from '#provider/accounts/services.ts';
import { exchangeCode } from './code-grant.ts';
import { DEVICE_CODE_GRANT } from '../grants/device-codes.ts';
import { exchangeDeviceCode } from './device-grant.ts';
import { required } from '../protocol/form.ts';
import type { TokenReply } from '../protocol/oauth-calls.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { refreshTokens } from './refresh-grant.ts';
import type { TokenRequest } from './token-request.ts';

/** The token endpoint of this project as an authorization server (RFC 6749, section 3.2). */
export async function answerTokenRequest(
  services: SessionServices & Pick<Services, 'limits'>,
  client: ConnectedAppSettings,
  request: TokenRequest,
): Promise<TokenReply> {
  if (client.dpop_bound_access_tokens === true && request.proof === null) {
    throw new OAuthError('invalid_dpop_proof', 'The app must prove its key (DPoP).');
  }
  switch (required(request.form, 'grant_type')) {
    case 'authorization_code':
      return exchangeCode(services, client, request);
    case 'refresh_token':
      return refreshTokens(services, client, request);
    case DEVICE_CODE_GRANT:
      return exchangeDeviceCode(services, client, request);
    default:
      throw new OAuthError(
        'unsupported_grant_type',
        `grant_type must be authorization_code, refresh_token or ${DEVICE_CODE_GRANT}.`,
      );
  }
}
