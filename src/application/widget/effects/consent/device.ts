import { concat, concatMap, defer, EMPTY, from, merge, type Observable } from 'rxjs';
import { deviceConsent } from '#domain/consent/device.ts';
import { scopeVerdict } from '#domain/consent/consent.ts';
import { deviceTable, type DeviceCommand, type DeviceEvent, type DeviceState } from '#domain/screens/device-flow.ts';
import { isRecord } from '#domain/shape.ts';
import { idp } from '../../../api/index.ts';
import { manifestLists, safeAccountUrl } from '../../../use-cases/consent/consent-page-options.ts';
import { endIfOver, findHiddenSession, presentUser } from '../../../use-cases/account/present-user.ts';
import { ownPlace, runFlow } from '../../../use-cases/run-flow.ts';
import type { AuthorizationServices } from '../../../use-cases/consent/authorization-flow.ts';
import type { IdentityProviderOptions } from '../../consent-options.ts';
import type { Effect } from '../../widget-store.ts';

const scopesOf = (results: unknown): readonly string[] =>
  Array.isArray(results)
    ? results.flatMap((each: unknown) => (isRecord(each) && typeof each['scope'] === 'string' ? [each['scope']] : []))
    : [];

/** Runs the commands of the flow for a device that shows a code. The page stays: the device itself polls for the decision. */
export function deviceEffect(
  services: Omit<AuthorizationServices, 'sessionExchange' | 'browser'>,
  options: () => IdentityProviderOptions,
  userCode: string,
): Effect {
  const { wire, project, sessions, lifecycle, log } = services;

  const look = async (code: string): Promise<DeviceEvent> => {
    const [reply] = await Promise.all([wire.call(idp.deviceStart, { user_code: code }), project.bootstrap()]);
    const verdict = scopeVerdict(reply.scope_results, scopesOf(reply.scope_results));
    if (verdict === null) throw new Error('The server did not return the request.');
    const user: unknown = reply.user ?? sessions.state().user;
    const request = { client: reply.client, device: reply.device, resources: reply.resources, user };
    const lists: Parameters<typeof deviceConsent>[3] = (scopes, name) => manifestLists(options(), log, scopes, name);
    return { type: 'found', page: deviceConsent(code, request, verdict, lists, safeAccountUrl(options(), log)) };
  };
  const submit = async (code: string, consent_granted: boolean): Promise<DeviceEvent> => {
    const { granted } = await wire.call(idp.deviceSubmit, { user_code: code, consent_granted });
    return { type: 'decided', granted: (granted as unknown) === true };
  };
  const perform = (command: DeviceCommand): Observable<DeviceEvent> =>
    defer(async (): Promise<readonly DeviceEvent[]> => {
      try {
        if (command.do === 'look') return [await look(command.code)];
        if (command.do === 'submit') return [await submit(command.code, command.granted)];
        await lifecycle.revoke(false);
        return [];
      } catch (error) {
        endIfOver(services, error);
        return [{ type: 'refused', error }];
      }
    }).pipe(concatMap((events) => from(events)));

  const arrived$ = defer(async () => findHiddenSession(services)).pipe(concatMap(() => EMPTY));
  return ({ events$ }) =>
    runFlow(
      deviceTable(userCode),
      ownPlace<DeviceState>({ at: 'arriving' }),
      merge(events$, concat(arrived$, presentUser(services))),
      perform,
    );
}
