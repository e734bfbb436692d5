import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import { redeemChecked } from './code-grant.ts';
import { findCodeByHash } from '../grants/codes.ts';
import { findDevice, pollsTooSoon } from '../grants/device-codes.ts';
import { spendProof } from '../protocol/dpop.ts';
import { required } from '../protocol/form.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import type { TokenRequest } from './token-request.ts';

/**
 * Tokens for a device code, once a user has allowed it (RFC 8628, section 3.4). A poll counts only for the client that began. Another
 * client, or a thief without the key, learns and changes nothing.
 *
 * @throws OAuthError `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, or `invalid_grant` for a code that is unknown,
 * of another client or key, or redeemed already
 */
export async function exchangeDeviceCode(
  services: SessionServices,
  client: ConnectedAppSettings,
  request: TokenRequest,
) {
  const device = await findDevice(services.db, required(request.form, 'device_code'));
  const isOther = device !== undefined && device.dpop_jkt !== null && device.dpop_jkt !== (request.proof?.jkt ?? null);
  if (device?.client_id !== client.client_id || isOther) {
    throw new OAuthError('invalid_grant', 'The device code is unknown, has ended or is not for this request.');
  }
  if (client.device_authorization_allowed !== true) {
    throw new OAuthError('unauthorized_client', 'The app must not use device codes.');
  }
  if (device.expires_at.getTime() <= services.clock.now()) {
    throw new OAuthError('expired_token', 'The device code has expired: begin again.');
  }
  if (device.denied) throw new OAuthError('access_denied', 'The user denied the access.');
  const code = device.code_hash === null ? undefined : await findCodeByHash(services.db, device.code_hash);
  // Checked before the proof is stored, because a device could poll endlessly.
  if (code === undefined && (await pollsTooSoon(services, device))) {
    throw new OAuthError('slow_down', 'The device polls too often: wait five seconds longer from now on.');
  }
  await spendProof(services.db, request.proof);
  if (code !== undefined) return redeemChecked(services, client, request, code);
  throw new OAuthError('authorization_pending', 'The user has not decided yet.');
}
