import { idp } from '#application/api/index.ts';
import { isUserCode, readUserCode, shownUserCode, USER_CODE_ALPHABET } from '#domain/consent/user-code.ts';
import { clientOf, findClient, scopeResults, scopesFor, scopesOf } from '#server-rules/connected-apps.ts';
import { DEVICE_CODE_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { authorizing, grantCode, redeem, type AppTokens } from './app-grants.ts';
import type { ServerState } from '../state/state.ts';
import type { DeviceRow, FakeClient, LiveSession } from '../state/tables.ts';
import { readUser } from '../state/user-rows.ts';

/** Devices without a browser, on which users sign in by a code (RFC 8628). */

/** A placeholder redirect URI: no code is redeemed with it, because devices have their own code. */
const REDIRECT = 'urn:ietf:params:oauth:grant-type:device_code';
/** The network of every browser. */
const THIS_NETWORK = '127.0.0.1';

/** A device's request to the device authorization endpoint. */
export interface DeviceRequest {
  readonly client_id: string;
  /** Scopes that the project does not have are left out. */
  readonly scopes: readonly string[];
  /** The program's description of itself. */
  readonly program?: string;
  /** Its network address. Default: that of the browsers. */
  readonly network?: string;
}

/** The codes of a device. */
export interface DeviceCodes {
  readonly device_code: string;
  /** The code as shown by the device, such as `WDJB-MJHT`. */
  readonly user_code: string;
}

/** An error of the token endpoint (RFC 6749, section 5.2; RFC 8628, section 3.5). */
class DeviceError extends Error {
  constructor(readonly error: string) {
    super(error);
  }
}

/** The number as a code: the same on every run, and unique. */
function userCodeOf(count: number): string {
  let [code, rest] = ['', count];
  while (code.length < 8) {
    code = `${USER_CODE_ALPHABET[rest % USER_CODE_ALPHABET.length] ?? ''}${code}`;
    rest = Math.floor(rest / USER_CODE_ALPHABET.length);
  }
  return shownUserCode(code);
}

const mayUseDevices = (client: FakeClient | undefined): client is FakeClient =>
  client?.device_authorization_allowed === true;

/**
 * Simulates the device authorization endpoint.
 *
 * @throws an error with the `error` `unauthorized_client` or `invalid_scope`
 */
export function beginDevice(state: ServerState, request: DeviceRequest): DeviceCodes {
  const { client_id, scopes, program = '', network = THIS_NETWORK } = request;
  const client = state.settings.clients.find((each) => each.client_id === client_id);
  if (!mayUseDevices(client)) throw new DeviceError('unauthorized_client');
  const allowed = scopesFor(state.rules(), client);
  const validScopes = scopes.filter((scope) => scopesOf(state.rules()).includes(scope));
  if (validScopes.length === 0 || validScopes.some((scope) => !allowed.includes(scope)))
    throw new DeviceError('invalid_scope');
  const device_code = `device-code-${state.next()}`;
  const user_code = userCodeOf(state.next());
  const expiresAt = state.in(DEVICE_CODE_MINUTES);
  state.devices.set(device_code, {
    client_id,
    scopes: validScopes,
    user_code,
    program,
    network,
    expiresAt,
    decision: null,
  });
  return { device_code, user_code };
}

/**
 * Simulates the token endpoint for a device.
 *
 * @throws an error with the `error` `authorization_pending`, `access_denied`, `expired_token` or `invalid_grant`
 */
export function pollDevice(
  state: ServerState,
  { client_id, device_code }: { readonly client_id: string; readonly device_code: string },
): AppTokens {
  const device = state.devices.get(device_code);
  if (device?.client_id !== client_id) throw new DeviceError('invalid_grant');
  if (device.expiresAt <= state.now()) throw new DeviceError('expired_token');
  if (device.decision === null) throw new DeviceError('authorization_pending');
  if (device.decision === 'denied') throw new DeviceError('access_denied');
  const { code } = device.decision;
  const row = state.live(state.authorizationCodes, code);
  if (row !== undefined) return redeem(state, code, row);
  // The code was used before, so two parties have it: the tokens of both end (RFC 6749, section 4.1.2).
  for (const [token, { family_id }] of state.accessTokens) if (family_id === code) state.accessTokens.delete(token);
  throw new DeviceError('invalid_grant');
}

/** The page on which a user enters the code of a device. */
export function answerDevices(answers: Answers, state: ServerState): void {
  const waiting = (code: string): readonly [string, DeviceRow] => {
    const userCode = shownUserCode(code);
    const found = [...state.devices].find(
      ([, { user_code, expiresAt, decision }]) =>
        user_code === userCode && expiresAt > state.now() && decision === null,
    );
    if (!isUserCode(code) || found === undefined) throw new Refusal('user_code_not_found');
    return found;
  };
  const judge = ({ client_id, scopes }: DeviceRow, session: LiveSession) => {
    const client = findClient({ clients: state.settings.clients }, client_id);
    if (!mayUseDevices(client)) throw new Refusal('user_code_not_found');
    return { client, results: scopeResults(authorizing(state, client, session), scopes) };
  };

  answers
    .to(idp.deviceStart, ({ user_code }, caller: Caller) => {
      const session = requireSession(state, caller);
      const [, device] = waiting(user_code);
      const { client, results } = judge(device, session);
      const { program, network } = device;
      return {
        user_id: session.user_id,
        user: readUser(state, session.user_id),
        client: clientOf(client),
        scope_results: results,
        device: {
          user_code: shownUserCode(readUserCode(user_code)),
          program,
          network,
          is_same_network: network === THIS_NETWORK,
        },
      };
    })
    .to(idp.deviceSubmit, ({ user_code, consent_granted }, caller) => {
      const session = requireSession(state, caller);
      const [device_code, device] = waiting(user_code);
      if (!consent_granted) {
        state.devices.set(device_code, { ...device, decision: 'denied' });
        return { granted: false };
      }
      const { client, results } = judge(device, session);
      const scopes = results.filter(({ is_grantable }) => is_grantable).map(({ scope }) => scope);
      if (scopes.length === 0 && results.length > 0) throw new Refusal('invalid_scope');
      const { expiresAt } = device;
      const code = grantCode(state, session, client.client_id, {
        scopes,
        redirect_uri: REDIRECT,
        challenge: null,
        expiresAt,
      });
      state.devices.set(device_code, { ...device, decision: { code } });
      return { granted: true };
    });
}
