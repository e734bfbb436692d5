import type { ConnectedAppSettings } from '../../project/access.ts';
import type { Services, SessionServices } from '../../accounts/services.ts';
import { exchangeCode } from './code-grant.ts';
import { required, type Form } from './form.ts';
import { OAuthError } from './oauth-error.ts';
import { refreshTokens } from './refresh-grant.ts';

/** The token endpoint of this project as an authorization server (RFC 6749, section 3.2). */
export async function answerTokenRequest(
  services: SessionServices & Pick<Services, 'limits'>,
  client: ConnectedAppSettings,
  form: Form,
  issuer: string,
): Promise<object> {
  switch (required(form, 'grant_type')) {
    case 'authorization_code':
      return exchangeCode(services, client, form, issuer);
    case 'refresh_token':
      return refreshTokens(services, client, form, issuer);
    default:
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  }
}
