import type { JWTPayload } from 'jose';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import type { DocumentHost } from '../kit/document-host.ts';
import type { Fields, Provider } from '../kit/harness.ts';
import { importLineOf, oldSystems, type SignedBy } from '../kit/old-systems.ts';
import { makeTarget, MINUTES } from './attacker.ts';

export type Systems = Awaited<ReturnType<typeof oldSystems>>;
export type SystemName = keyof Systems;

export const ADMIN = { name: 'Grace', address: null, request_id: null };
export const REFUSED = 'invalid_trusted_auth_token';

/** A provider to which the users of the old systems move. */
export async function makeMoving(url: string | undefined, host: DocumentHost, settings: object = {}) {
  const systems = await oldSystems(host);
  const profiles = Object.values(systems).map(({ profile }) => profile);
  const provider = await makeTarget(url, {}, { ...settings, trusted_auth_token_profiles: profiles });
  provider.clock.time = Date.UTC(2026, 11, 1);
  return { systems, provider, ...stepsOf(provider, systems) };
}

function stepsOf(provider: Provider, systems: Systems) {
  const importInto = async (name: SystemName, email: string, fields: Fields = {}) => {
    const line = { ...importLineOf(systems[name].system, email), ...fields };
    const result = await importUser(provider.services, line, ADMIN);
    if (result.result !== 'imported') throw new Error(JSON.stringify(result));
    return result.user_id;
  };
  const tokenOf = (name: SystemName, changes: JWTPayload = {}, by: SignedBy = {}) =>
    systems[name].system.token(provider.clock.time, changes, by);
  const attestBy = (name: SystemName, token: string) =>
    provider.post('/sessions/attest', { profile_id: systems[name].profile['profile_id'], token, ...MINUTES });
  /** The id of the user, or the type of the refusal. */
  const outcome = async (name: SystemName, token: string) => {
    const { status, body, data } = await attestBy(name, token);
    return String(status === 200 ? data['user_id'] : body['error_type']);
  };
  return { importInto, tokenOf, attestBy, outcome };
}
