import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  ConfigError,
  defineLogin,
  OAuthProviders,
  OneTapPositions,
  SDKAPIError,
  SDKAPIUnreachableError,
  SDKSchemaError,
  SDKUsageError,
  type AuthError,
  type HostEvent,
  type MountIdentityProviderOptions,
  type MountLoginOptions,
  type PorticoClient,
  type Session,
  type User,
} from 'portico';

/** What the method of a client resolves with. */
type Reply<Method extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Method>>;

/** Where a value's type holds an array that cannot be changed. */
type FrozenPath<T, Path extends string = ''> = T extends readonly unknown[]
  ? T extends unknown[]
    ? FrozenPath<T[number], `${Path}[]`>
    : Path
  : T extends (...args: never[]) => unknown
    ? never
    : T extends object
      ? { [Key in keyof T & string]: FrozenPath<T[Key], `${Path}.${Key}`> }[keyof T & string]
      : never;

describe('the arrays of replies', () => {
  it('can be changed by whoever has them', () => {
    expectTypeOf<FrozenPath<User>>().toBeNever();
    expectTypeOf<FrozenPath<Session['authentication_factors']>>().toBeNever();
    expectTypeOf<User['roles']>().toEqualTypeOf<string[]>();
    expectTypeOf<Session['roles']>().toEqualTypeOf<string[] | undefined>();
    expectTypeOf<Reply<PorticoClient['totps']['create']>['recovery_codes']>().toEqualTypeOf<string[]>();
    expectTypeOf<FrozenPath<Reply<PorticoClient['totps']['recoveryCodes']>>>().toBeNever();
    expectTypeOf<FrozenPath<Reply<PorticoClient['user']['update']>>>().toBeNever();
    expectTypeOf<FrozenPath<Reply<PorticoClient['user']['deleteEmail']>>>().toBeNever();
    expectTypeOf<FrozenPath<Reply<PorticoClient['user']['getConnectedApps']>>>().toBeNever();
    expectTypeOf<FrozenPath<Reply<PorticoClient['otps']['authenticate']>['user']>>().toBeNever();
    expectTypeOf<FrozenPath<Reply<PorticoClient['oauth']['authenticate']>['provider_values']>>().toBeNever();
    expectTypeOf<FrozenPath<Reply<PorticoClient['passwords']['strengthCheck']>>>().toBeNever();
    expectTypeOf<FrozenPath<Reply<PorticoClient['idp']['oauthAuthorizeStart']>['scope_results']>>().toBeNever();
    // The check sees one that cannot.
    expectTypeOf<FrozenPath<{ a: { b: readonly string[] }[] }>>().toEqualTypeOf<'.a[].b'>();
  });
});

describe('a login’s configuration', () => {
  it('keeps its names as types in a constant that defineLogin makes, and a plain constant does not', () => {
    const written = { products: ['otp'], otpOptions: { methods: ['email'] } };
    const config = defineLogin({ products: ['otp'], otpOptions: { methods: ['email'] } });
    expectTypeOf(config).toExtend<NonNullable<MountLoginOptions['config']>>();
    expectTypeOf(written).not.toExtend<NonNullable<MountLoginOptions['config']>>();
    // @ts-expect-error A name that does not exist is an error where it stands.
    expect(defineLogin({ products: ['otps'] })).toEqual({ products: ['otps'] });
    expect(() => defineLogin({ products: ['passkeys'] })).toThrow(ConfigError);
    expect(config).toEqual(written);
  });
});

describe('permissions', () => {
  it('are typed by the resources and actions that a host names', () => {
    const ask = (client: PorticoClient) =>
      client.rbac.allPermissions<{ documents: 'read' | 'write'; images: 'read' }>();
    type Permissions = Awaited<ReturnType<typeof ask>>;
    expectTypeOf<Permissions['documents']['write']>().toEqualTypeOf<boolean>();
    expectTypeOf<keyof Permissions>().toEqualTypeOf<'documents' | 'images'>();
    expectTypeOf<keyof Permissions['images']>().toEqualTypeOf<'read'>();
    expectTypeOf<Reply<PorticoClient['rbac']['allPermissions']>>().toEqualTypeOf<
      Record<string, Record<string, boolean>>
    >();
  });
});

describe('onEvent', () => {
  it('receives events whose type determines their data', () => {
    const heard = (event: HostEvent): string => {
      switch (event.type) {
        case 'OTP_AUTHENTICATE':
          expectTypeOf(event.data.session).toEqualTypeOf<Session>();
          return event.data.method_id;
        case 'MAGIC_LINK_LOGIN_OR_CREATE':
          return event.data.email;
        case 'PASSKEY_REGISTER':
          return event.data.webauthn_registration_id;
        case 'OAUTH_AUTHORIZE_FLOW_START':
          return event.data.scope;
        case 'AUTHENTICATE_FLOW_COMPLETE':
          // @ts-expect-error it carries nothing
          return event.data.session.session_id;
        default:
          return '';
      }
    };
    type EventListener = NonNullable<NonNullable<MountLoginOptions['callbacks']>['onEvent']>;
    expectTypeOf<Parameters<EventListener>[0]>().toEqualTypeOf<HostEvent>();
    const data = { status_code: 200, request_id: 'r', email: 'ada@example.com' };
    expect(heard({ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data })).toBe('ada@example.com');
    // @ts-expect-error its email is missing
    expect(heard({ type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { status_code: 200, request_id: 'r' } })).toBeUndefined();
  });
});

describe('an error', () => {
  it('has an error_type that every handler can compare, and that names an API error', () => {
    const onError = (error: AuthError) => {
      if (error.error_type !== 'login_required') return null;
      expectTypeOf(error).toEqualTypeOf<SDKAPIError>();
      return error.status_code;
    };
    expectTypeOf<AuthError['error_type']>().toEqualTypeOf<string | undefined>();
    const said = { error_type: 'login_required', error_message: '', error_url: '' };
    expect(onError(new SDKAPIError({ status_code: 401, ...said }))).toBe(401);
    const others = [new SDKUsageError('x', ''), new SDKSchemaError([]), new SDKAPIUnreachableError('network')];
    for (const other of others) {
      expect(onError(other)).toBeNull();
      expect(other).not.toHaveProperty('error_type');
    }
  });
});

describe('the options of a host', () => {
  it('may be the scopes that it was given, as items or in sections', () => {
    expectTypeOf<{
      getIDPConsentManifest: (input: { scopes: readonly { scope: string; description: string }[] }) => {
        scope: string;
        description: string;
      }[];
    }>().toExtend<Pick<MountIdentityProviderOptions, 'getIDPConsentManifest'>>();
    const options: MountIdentityProviderOptions = {
      elementId: '#consent',
      getIDPConsentManifest: ({ scopes, clientName }) => [{ header: clientName, items: [...scopes, 'A line'] }],
    };
    expect(options.elementId).toBe('#consent');
    expectTypeOf<MountIdentityProviderOptions>().toExtend<{ elementId: string | Element | ShadowRoot }>();
    const items: MountIdentityProviderOptions['getIDPConsentManifest'] = ({ scopes }) => scopes;
    expect(items?.({ scopes: [], clientName: 'Planner' })).toEqual([]);
  });

  it('may have strings under keys that are not ours', () => {
    const strings: MountLoginOptions['strings'] = { 'main.title': 'Hello', 'a.key.of.tomorrow': 'Soon' };
    expect(strings).toBeDefined();
    // @ts-expect-error a text is a string
    const wrong: MountLoginOptions['strings'] = { 'main.title': 1 };
    expect(wrong).toBeDefined();
  });
});

describe('enumerations', () => {
  it('know GitHub by both of its spellings, and the places of One Tap', () => {
    expectTypeOf(OAuthProviders.Github).toEqualTypeOf<'github'>();
    expect([OAuthProviders.Github, OAuthProviders.GitHub]).toEqual(['github', 'github']);
    expect(Object.values(OAuthProviders)).toHaveLength(19);
    expectTypeOf(OneTapPositions.floatingOrEmbedded).toEqualTypeOf<'floatingOrEmbedded'>();
    expect(Object.keys(OneTapPositions)).toEqual(Object.values(OneTapPositions));
    const oauthOptions: NonNullable<MountLoginOptions['config']>['oauthOptions'] = {
      providers: [{ type: OAuthProviders.Google, one_tap: true, position: OneTapPositions.embeddedOnly }],
    };
    expect(oauthOptions.providers).toHaveLength(1);
  });
});
