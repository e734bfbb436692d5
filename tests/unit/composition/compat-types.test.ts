import { describe, expect, expectTypeOf, it } from 'vitest';
import type { StytchClient as Six, User as SixUser, Session as SixSession } from '@stytch/vanilla-js';
import type * as compat from 'portico/compat';
import type {
  Session as FiveSession,
  StytchEvent as FiveEvent,
  StytchLoginConfig as FiveConfig,
  StytchUIClient as FiveUI,
  StyleConfig as FiveStyles,
  User as FiveUser,
} from 'vendor-client-v5';
import type { StytchHeadlessClient as Five } from 'vendor-client-v5/headless';
import { StytchAPIError, StytchEventType, StytchUIClient, type Products } from 'portico/compat';

/** Where an app of theirs would not compile with ours: what its methods are called with, and what they answer. */
type TypeDifference<Ours, Theirs> = {
  [Name in keyof Theirs & string]: Name extends keyof Ours
    ? Ours[Name] extends Theirs[Name]
      ? never
      : Ours[Name] extends (...args: infer A) => infer R
        ? Theirs[Name] extends (...args: infer B) => infer S
          ? [B extends A ? never : `${Name}: arguments`, R extends S ? never : `${Name}: reply`][number]
          : never
        : `${Name}.${TypeDifference<Ours[Name], Theirs[Name]>}`
    : `${Name}: missing`;
}[keyof Theirs & string];

/**
 * - a logo may be null; a reason of One Tap may be any; a strength check has no request id;
 * - `onStateChange` of the reference reads deeply, which no `unknown` is;
 * - 5.x and 6.x call the list of TOTPs an object, which it is not on the wire.
 */
type KnownDifference =
  | 'idp.oauthAuthorizeStart: reply'
  | 'oauth.googleOneTap.start: reply'
  | 'onStateChange: arguments'
  | 'passwords.strengthCheck: reply'
  | 'totps.recoveryCodes: reply'
  | 'user.getConnectedApps: reply';

describe('the types of a client', () => {
  it('are those of the reference, but for what is listed', () => {
    expectTypeOf<TypeDifference<compat.StytchHeadlessClient, Five>>().toEqualTypeOf<KnownDifference>();
    // The `user.get` of 6.x is never null.
    expectTypeOf<TypeDifference<compat.StytchClient, Six>>().toEqualTypeOf<KnownDifference | 'user.get: reply'>();
    expectTypeOf<TypeDifference<{ a: (x: string) => number }, { a: (x: number) => string; b: 1 }>>().toEqualTypeOf<
      'a: arguments' | 'a: reply' | 'b: missing'
    >();
  });

  it('are those of its users, sessions and events', () => {
    expectTypeOf<compat.User>().toExtend<FiveUser>();
    expectTypeOf<compat.User>().toExtend<SixUser>();
    expectTypeOf<FiveUser>().toExtend<compat.User>();
    expectTypeOf<compat.Session>().toExtend<FiveSession>();
    expectTypeOf<compat.Session>().toExtend<SixSession>();
    expectTypeOf<FiveSession>().toExtend<compat.Session>();
    // Every event that the reference can tell of has its case.
    expectTypeOf<`${FiveEvent['type']}`>().toEqualTypeOf<compat.StytchEvent['type']>();
  });

  it('take what an app of 5.x has written for its widgets', () => {
    type WrittenConfig = Omit<FiveConfig, 'products' | 'otpOptions' | 'oauthOptions'>;
    expectTypeOf<WrittenConfig>().toExtend<
      Omit<compat.StytchLoginConfig, 'products' | 'otpOptions' | 'oauthOptions'>
    >();
    expectTypeOf<FiveStyles>().toExtend<compat.StyleConfig>();
    expectTypeOf<`${FiveConfig['products'][number]}`>().toExtend<compat.StytchLoginConfig['products'][number]>();
    expectTypeOf<Parameters<FiveUI['mountLogin']>[0]['strings']>().toExtend<compat.StringsOptions['strings']>();
  });
});

describe('the code of an app', () => {
  it('compiles with a custom configuration as a type argument', () => {
    type OpaqueTokens = { OpaqueTokens: false };
    const make = (): StytchUIClient<OpaqueTokens> => new StytchUIClient<OpaqueTokens>('public-token-test-x');
    expectTypeOf(make).returns.toExtend<compat.StytchHeadlessClient<OpaqueTokens>>();
    expectTypeOf<Parameters<StytchUIClient['mountLogin']>[0]['config']['products']>().toExtend<
      readonly Products[] | undefined
    >();
  });

  it('narrows events and errors as before', () => {
    const told = (event: compat.StytchEvent): string => {
      switch (event.type) {
        case StytchEventType.OTPsAuthenticate:
          return event.data.session.session_id;
        case StytchEventType.B2BSSOStart:
          return '';
        default:
          return event.type;
      }
    };
    expect(told({ type: 'PASSKEY_DONE', data: {} })).toBe('PASSKEY_DONE');
    const typeOf = (error: unknown): string => (error instanceof StytchAPIError ? error.error_type : 'none');
    expect(typeOf(new Error('no'))).toBe('none');
  });

  it('reads what a session rests on', () => {
    const addressOf = (session: compat.Session): string | undefined => {
      const [factor] = session.authentication_factors;
      return factor?.delivery_method === 'email' ? factor.email_factor.email_address : undefined;
    };
    expectTypeOf(addressOf).returns.toEqualTypeOf<string | undefined>();
    type Reply = Awaited<ReturnType<compat.StytchClient['otps']['authenticate']>>;
    expectTypeOf<Reply['session_token']>().toEqualTypeOf<string>();
    expectTypeOf<Reply['user']['name']['first_name']>().toEqualTypeOf<string>();
  });
});
