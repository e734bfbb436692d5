import { scopeResults } from '#server-rules/connected-apps.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isUserCode, shownUserCode } from '#domain/consent/user-code.ts';
import { isLoopbackAddress, networkOf } from '#provider/base/peer.ts';
import { takeForNetwork, takeForUser } from '#provider/base/security/limits.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { requireApp } from '#provider/project/registry/connected-apps.ts';
import type { AdmittedSession } from '#provider/accounts/sessions/reading/admission.ts';
import type { Caller } from '#provider/accounts/sessions/reading/current.ts';
import type { Services, SessionServices } from '#provider/accounts/services.ts';
import { authorizing, grant, inSession } from './authorization.ts';
import { shownResources } from '../protocol/resources.ts';
import { decide, DEVICE_CODE_GRANT, findWaiting, originOf, type DeviceAuthorization } from '../grants/device-codes.ts';

type DecisionServices = SessionServices & Pick<Services, 'limits' | 'dev'>;

/** The user who decides, and their network address. */
interface Decider {
  readonly caller: Caller;
  readonly session: AdmittedSession;
}

/**
 * The device that shows the code. Every entered code is counted before it is compared: for the user, for the network, and over all
 * processes (RFC 8628, section 5.1).
 */
async function requireDevice(
  services: DecisionServices,
  userCode: string,
  { caller, session }: Decider,
): Promise<DeviceAuthorization> {
  const { limits } = services;
  await takeForUser(services, 'device codes', session.user_id, limits.deviceCodesPerUser);
  await takeForNetwork(services, 'device codes', caller.address, limits.failuresPerNetwork);
  const device = isUserCode(userCode) ? await findWaiting(services, userCode) : undefined;
  if (device === undefined) throw new Refusal('user_code_not_found');
  return device;
}

/** The app, and which of the requested scopes the user may grant. The user is always asked about a device. */
async function judgeDevice(services: DecisionServices, device: DeviceAuthorization, { session }: Decider) {
  const client = await requireApp(services, device.client_id);
  if (client.device_authorization_allowed !== true) throw new Refusal('user_code_not_found');
  const by = await authorizing(services, client, { ...inSession(session), arrival: null, body: device });
  return { client, by, results: scopeResults(by, device.scopes) };
}

/** The networks of the loopback addresses, IPv4 and IPv6, are the same. An unknown (empty) address is in no network. */
function isSameNetwork(a: string, b: string): boolean {
  if (a === '' || b === '') return false;
  return networkOf(a) === networkOf(b) || (isLoopbackAddress(a) && isLoopbackAddress(b));
}

/** The data for the page: the app, its scopes, and where the device is (RFC 8628, sections 3.3 and 5.4). */
export async function showDevice(services: DecisionServices, userCode: string, decider: Decider) {
  const device = await requireDevice(services, userCode, decider);
  const { client, by, results } = await judgeDevice(services, device, decider);
  const resources = shownResources(services, device.audiences);
  const { address, userAgent } = originOf(services, device);
  const here = decider.caller.address;
  return {
    user: by.user,
    client,
    scope_results: [...results],
    ...(resources.length === 0 ? {} : { resources: [...resources] }),
    device: {
      user_code: shownUserCode(userCode),
      program: userAgent,
      network: address,
      is_same_network: isSameNetwork(address, here),
    },
  };
}

/** Writes the user's decision. Only the first decision counts; afterwards the code is useless. */
export async function decideOnDevice(
  services: DecisionServices,
  { user_code, consent_granted }: { readonly user_code: string; readonly consent_granted: boolean },
  decider: Decider,
): Promise<{ readonly granted: boolean }> {
  const device = await requireDevice(services, user_code, decider);
  const { caller, session } = decider;
  if (!consent_granted) {
    if (!(await decide(services, services.db, device, { denied: true }))) throw new Refusal('user_code_not_found');
    // Nothing was granted, so no row is written.
    caller.trail.isWritten = true;
    return { granted: false };
  }
  const { client, by, results } = await judgeDevice(services, device, decider);
  const scopes = results.filter(({ is_grantable }) => is_grantable).map(({ scope }) => scope);
  if (scopes.length === 0 && results.length > 0) throw new Refusal('invalid_scope');
  // Nobody gets the authorization code itself. The device redeems it with its device code.
  const { audiences, dpop_jkt } = device;
  const binding = { redirect_uri: DEVICE_CODE_GRANT, dpop_jkt: dpop_jkt ?? undefined, audiences };
  const isNew = !by.knownResources || scopes.some((scope) => !by.granted.includes(scope));
  await grant(
    services,
    { ...inSession(session), caller },
    client,
    binding,
    { scopes, isNew },
    {
      endsAt: device.expires_at.getTime(),
      within: async (tx, code) => {
        if (!(await decide(services, tx, device, { code_hash: tokenHash(code) }))) {
          throw new Refusal('user_code_not_found');
        }
      },
    },
  );
  return { granted: true };
}
