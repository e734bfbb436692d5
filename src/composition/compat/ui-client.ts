import type { WidgetHandle } from '../mount.tsx';
import { PorticoUIClient } from '../ui-client.ts';
import {
  authenticateUrl,
  parseUrl,
  type AuthenticatedByUrl,
  type ByUrlOptions,
  type ParsedUrl,
} from './authenticate-url.ts';
import {
  clientOptions,
  type StytchClientOptions,
  type StytchProjectConfiguration,
  type StytchProjectConfigurationInput,
} from './client-options.ts';
import { watchState, type AnyClient } from './headless-client.ts';
import { consentOptions, loginOptions, type ConsentAppearanceOptions, type LoginAppearanceOptions } from './options.ts';
import type { ConsumerState, CompatClient, CompatConstructor } from './replies.ts';

/** 6.x passes the client in the options; the default is the client whose method is called. */
interface MountTarget {
  readonly elementId: string;
  readonly client?: AnyClient | undefined;
}

export type MountLogin = LoginAppearanceOptions & MountTarget;
export type MountResetPassword = LoginAppearanceOptions & MountTarget & { readonly passwordResetToken: string };
export type MountPasskeyRegistration = Omit<LoginAppearanceOptions, 'config'> &
  Partial<LoginAppearanceOptions> &
  MountTarget;
export type MountIdentityProvider = ConsentAppearanceOptions & MountTarget;

const NO_WIDGETS =
  'This client has no widgets. Make it with createStytchUIClient or createStytchClient of portico/compat, not with one of portico/compat/headless.';

type Widgets = 'mountLogin' | 'mountResetPassword' | 'mountPasskeyRegistration' | 'mountIdentityProvider';

const Base = PorticoUIClient as unknown as CompatConstructor<Omit<CompatClient<PorticoUIClient>, Widgets>>;
/** Our own mount method, with converted options. */
const ours = (): PorticoUIClient => PorticoUIClient.prototype;
const asOurs = (client: StytchUIClient): PorticoUIClient => client as unknown as PorticoUIClient;

/** The options of a mount; none if they are missing, which our client refuses with a message. */
const orNone = <Options extends object>(options: Options | undefined): Options => options ?? ({} as Options);

/** The client with its widgets: the `StytchUIClient` of 5.x, and the `StytchClient` that 6.x passes to its widgets. */
export class StytchUIClient<
  _Configuration extends StytchProjectConfigurationInput = StytchProjectConfiguration,
> extends Base {
  constructor(publicToken: string, options?: StytchClientOptions) {
    super(publicToken, clientOptions(publicToken, options));
  }

  onStateChange(callback: (state: ConsumerState) => void): () => void {
    return watchState(this, callback);
  }

  /** The login parameters of the page's address, or of another one. */
  readonly parseAuthenticateUrl = (href?: string): ParsedUrl => parseUrl(href);

  /** Logs in with the token in the page's address, or in another one. */
  readonly authenticateByUrl = (options: ByUrlOptions, href?: string): Promise<AuthenticatedByUrl> =>
    authenticateUrl(this, options, href);

  mountLogin(options: MountLogin): WidgetHandle {
    const { elementId, ...looks } = orNone(options);
    return ours().mountLogin.call(asOurs(this), { ...loginOptions(looks), elementId });
  }

  mountResetPassword(options: MountResetPassword): WidgetHandle {
    const { elementId, passwordResetToken, ...looks } = orNone(options);
    return ours().mountResetPassword.call(asOurs(this), { ...loginOptions(looks), elementId, passwordResetToken });
  }

  mountPasskeyRegistration(options: MountPasskeyRegistration): WidgetHandle {
    const { elementId, ...looks } = orNone(options);
    return ours().mountPasskeyRegistration.call(asOurs(this), { ...loginOptions(looks), elementId });
  }

  /** As in the reference, a manifest is made from scope names. */
  mountIdentityProvider(options: MountIdentityProvider): WidgetHandle {
    const { elementId, ...looks } = orNone(options);
    return ours().mountIdentityProvider.call(asOurs(this), { ...consentOptions(looks), elementId });
  }
}

/** Makes a client with widgets. */
export function createStytchUIClient<
  Configuration extends StytchProjectConfigurationInput = StytchProjectConfiguration,
>(publicToken: string, options?: StytchClientOptions): StytchUIClient<Configuration> {
  return new StytchUIClient(publicToken, options);
}

/** The client of a widget. Throws a TypeError if the given value is not a client with widgets. */
export function uiClient(client: AnyClient): StytchUIClient {
  // Not `instanceof`: a page may hold two copies of the package.
  if (!('mountLogin' in client)) throw new TypeError(NO_WIDGETS);
  return client as StytchUIClient;
}

type WithClient<Options> = Options & { readonly client: AnyClient };

/** 6.x: a login of the client in the element that `elementId` finds. */
export function mountLogin(options: WithClient<MountLogin>): WidgetHandle {
  return uiClient(options.client).mountLogin(options);
}

/** 6.x: the page that a reset mail opens. */
export function mountResetPassword(options: WithClient<MountResetPassword>): WidgetHandle {
  return uiClient(options.client).mountResetPassword(options);
}

/** 6.x: the passkeys of the signed-in user. */
export function mountPasskeyRegistration(options: WithClient<MountPasskeyRegistration>): WidgetHandle {
  return uiClient(options.client).mountPasskeyRegistration(options);
}

/** 6.x: the consent or logout page for another app. */
export function mountIdentityProvider(options: WithClient<MountIdentityProvider>): WidgetHandle {
  return uiClient(options.client).mountIdentityProvider(options);
}
