import { resourceNames } from './agent.ts';
import { tidied } from './outside-text.ts';
import { isRecord } from '../shape.ts';
import {
  accountOf,
  clientNameOf,
  THE_APP,
  isLastingScope,
  isStandard,
  type Consent,
  type DeviceView,
  type MakeLists,
  type ScopeVerdict,
} from './consent.ts';
import { shownUserCode } from './user-code.ts';

const lineOf = (value: unknown): string | null => (typeof value === 'string' ? tidied(value) : '') || null;

/** The device from the server's reply, in the form that the page shows. */
function deviceView(device: unknown, userCode: string): DeviceView {
  const { program, network, is_same_network } = isRecord(device) ? device : {};
  return {
    userCode: shownUserCode(userCode),
    program: lineOf(program),
    network: lineOf(network),
    isSameNetwork: is_same_network === true,
  };
}

/** The server's description of a device. */
export interface DeviceReply {
  readonly client: unknown;
  readonly user: unknown;
  readonly device: unknown;
  /** The APIs of the tokens; absent for the project's own only. */
  readonly resources?: unknown;
}

/**
 * The consent page for a device that shows a code (RFC 8628, section 3.3). It has no destination host, because nothing is sent to a URL.
 */
export function deviceConsent(
  userCode: string,
  { client, user, device, resources }: DeviceReply,
  { grantable, ungrantable }: ScopeVerdict,
  makeLists: MakeLists,
  accountUrl: string | null,
): Consent {
  const clientName = clientNameOf(client, '');
  const { client_logo_url: logo, client_verified: verified } = isRecord(client) ? client : {};
  const apis = resourceNames(resources).map(tidied);
  return {
    status: 'consentRequired',
    clientName,
    logoUrl: typeof logo === 'string' ? logo : null,
    account: accountOf(user),
    host: null,
    onDevice: false,
    isVerified: typeof verified === 'boolean' ? verified : null,
    device: deviceView(device, userCode),
    ...(apis.length === 0 ? {} : { resources: apis }),
    accountUrl,
    standardOnly: [...grantable, ...ungrantable].every(({ scope }) => isStandard(scope)),
    lists: grantable.length === 0 ? [] : makeLists(grantable, clientName ?? THE_APP),
    ungrantable: ungrantable.map(({ description }) => description),
    canAllow: grantable.length > 0,
    isLasting: grantable.some(isLastingScope),
  };
}
