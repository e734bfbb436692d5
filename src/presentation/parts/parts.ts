import { useSyncExternalStore, type ComponentType, type Dispatch, type KeyboardEvent, type RefObject } from 'react';
import type { AuthError } from '#domain/errors.ts';
import type { DeclinedLogin, OAuthProvider } from '#domain/social/oauth-providers.ts';
import type { RowEvent, RowState } from '#domain/passkeys/passkey-list.ts';
import type { MailService } from './mailboxes.ts';
import type { EnteredPhone } from '#domain/contacts/phone.ts';
import type { MainLayout } from '#domain/screens/main-layout.ts';
import type { ScreenName, ScreenOf } from '#domain/screens/screen.ts';
import type { Toast, ScreenState } from '#domain/screens/widget-state.ts';
import type { WebauthnRegistration } from '#domain/users/user.ts';
import type { MoreWallets, WalletSlots } from '#domain/wallets/wallets.ts';
import type { Language } from '#domain/widget/language.ts';
import { productsOf, type LoginConfig } from '#domain/widget/widget-config.ts';
import { COMMON_MARKS, type ProviderDrawing } from './common-marks.ts';
import { addTexts } from '../messages/catalogue.ts';
import type { Elements } from '../elements.ts';
import { addStyles } from '../theme/stylesheet.ts';

/**
 * The widget is loaded in parts. The first screen is loaded at once. Each part below has the screens, texts and styles of one login
 * method, and is loaded when a page may use it.
 */
export type PartName =
  | 'login'
  | 'marks'
  | 'mails'
  | 'phones'
  | 'passwords'
  | 'wallets'
  | 'passkeys'
  | 'factors'
  | 'consent'
  | 'account';

/** The part of each screen, except the first screen. */
export const PART_OF = {
  EmailConfirmation: 'login',
  OTPAuthenticate: 'login',
  OTPConfirmation: 'login',
  AuthenticateFlowComplete: 'login',
  PasswordCreateOrLogin: 'passwords',
  PasswordForgot: 'passwords',
  PasswordDedupe: 'passwords',
  PasswordBreached: 'passwords',
  PasswordSetNew: 'passwords',
  PasswordResetForm: 'passwords',
  PasswordConfirmation: 'passwords',
  CryptoConnect: 'wallets',
  CryptoSignMessage: 'wallets',
  CryptoOtherScreen: 'wallets',
  CryptoSetupWallet: 'wallets',
  CryptoError: 'wallets',
  CryptoConfirmation: 'wallets',
  PasskeyConfirmation: 'passkeys',
  PasskeyOffer: 'passkeys',
  PasskeyCreated: 'passkeys',
  PasskeyRegistrationStart: 'passkeys',
  PasskeyRegistrationSuccess: 'passkeys',
  SecondFactor: 'factors',
  IDPConsent: 'consent',
  Account: 'account',
} as const satisfies Readonly<Record<Exclude<ScreenName, 'Main'>, PartName>>;

/** The screens that are loaded in parts. */
type LazyScreenName = keyof typeof PART_OF;
type ScreensOf<Name extends PartName> = {
  [Screen in LazyScreenName]: (typeof PART_OF)[Screen] extends Name ? Screen : never;
}[LazyScreenName];

/** The props of every screen: its own data, and the widget's state. */
export interface ScreenProps<Name extends ScreenName> {
  readonly screen: ScreenOf<Name>;
  readonly state: ScreenState;
}

interface Part<Name extends PartName> {
  /** The English texts of its screens. */
  readonly texts: Readonly<Record<string, string>>;
  readonly styles: readonly string[];
  readonly screens: { readonly [Screen in ScreensOf<Name>]: ComponentType<ScreenProps<Screen>> };
}

/** The text typed into the form for a phone number; `edit` counts its changes. */
export interface TypedPhone extends EnteredPhone {
  readonly edit: number;
}

export interface PhoneHelpProps {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly phone: ScreenState['phone'];
  readonly country: string;
  readonly entry: TypedPhone;
  readonly setTyped: (change: (now: TypedPhone) => TypedPhone) => void;
  /** Called with each edit, and when the field gets or loses the focus, before the number is formatted. */
  readonly onEdit: ((entry: TypedPhone) => void) | undefined;
  /** A request is in progress. */
  readonly off: boolean;
  readonly invalid: boolean;
  /** The search text of the open list of countries; null while it is closed. */
  readonly search: string | null;
  readonly setSearch: (search: string | null) => void;
}

export interface NewPasswordProps {
  /** The address of the password's user, or an empty string if it is unknown. */
  readonly email: string;
  readonly label: string;
  readonly strength: ScreenState['strength'];
  /** The error of the last request. */
  readonly error: AuthError | null;
  /** The error is of a request that sent a password. */
  readonly isOfPassword: boolean;
  /** The form's own request is in progress. */
  readonly busy: boolean;
  /** Another request is in progress. */
  readonly off: boolean;
  readonly onSubmit: (password: string) => void;
  /** Further effects of the submission, shown above its button. */
  readonly note?: Elements;
  readonly children?: Elements;
}

export interface PasskeyListProps {
  readonly passkeys: readonly WebauthnRegistration[];
  readonly rows: RowState;
  readonly dispatch: Dispatch<RowEvent>;
  readonly onRename: (id: string, name: string) => void;
  readonly onDelete: (id: string) => void;
  /** The heading of the list, when the screen's own heading does not name it. */
  readonly heading: string | null;
}

export interface PasskeyNoteProps {
  /** How Main offers passkeys. */
  readonly entry: 'button' | 'link';
  readonly state: ScreenState;
}

/** The contents of each part: its screens, and its components of the first screen. */
export interface Parts {
  readonly login: Part<'login'> & {
    readonly ErrorMessage: ComponentType<{ readonly error: AuthError }>;
    readonly Toast: ComponentType<{ readonly toast: Toast }>;
    readonly EmailHint: ComponentType<{ readonly field: RefObject<HTMLInputElement | null> }>;
    /** Renders nothing. Its effects are those of the card that the first paint does not need. */
    readonly CardEffects: ComponentType<{ readonly card: RefObject<HTMLElement | null>; readonly screen: string }>;
    readonly LastUsed: ComponentType;
    /** The note of the part `passkeys`, or that it did not load. */
    readonly PasskeyNote: ComponentType<PasskeyNoteProps>;
    /** Adopts its style sheet. Its components do this themselves. Other parts call it because their sheets must come after it. */
    readonly adoptSheet: () => void;
    readonly DeclinedAt: ComponentType<DeclinedLogin>;
    readonly OneTap: ComponentType<{
      readonly index: number;
      readonly state: ScreenState;
      readonly button: Elements;
    }>;
  };
  readonly marks: Part<'marks'> & {
    readonly FURTHER_MARKS: Readonly<Partial<Record<OAuthProvider, ProviderDrawing>>>;
  };
  readonly mails: Part<'mails'> & {
    readonly EmailHint: ComponentType<{ readonly field: RefObject<HTMLInputElement | null> }>;
    readonly mailServiceOf: (email: string) => MailService | undefined;
    readonly MailMark: ComponentType<{ readonly name: string }>;
  };
  readonly phones: Part<'phones'> & {
    readonly PhoneHelp: ComponentType<PhoneHelpProps>;
    readonly callingCodes: ReadonlyMap<string, string>;
    readonly knownCountry: (country: string) => string;
    readonly countryName: (country: string, language: Language) => string;
    readonly flagOf: (country: string) => string;
    readonly moveTab: (event: KeyboardEvent<HTMLElement>) => void;
  };
  readonly passwords: Part<'passwords'> & { readonly NewPasswordForm: ComponentType<NewPasswordProps> };
  readonly wallets: Part<'wallets'> & {
    readonly WalletList: ComponentType<{ readonly state: ScreenState; readonly slot: keyof WalletSlots }>;
    readonly AnyWalletMark: ComponentType;
    /** The button after the found wallets on Main. */
    readonly moreWallets: (found: ScreenState['wallets'], socialLogins: number) => MoreWallets;
  };
  readonly passkeys: Part<'passkeys'> & {
    readonly PasskeyList: ComponentType<PasskeyListProps>;
    readonly PasskeyNote: ComponentType<PasskeyNoteProps & { readonly hasSignUp: boolean }>;
  };
  readonly factors: Part<'factors'>;
  readonly consent: Part<'consent'>;
  readonly account: Part<'account'> & {
    /** Loads the texts of a language, which its first screen needs. */
    readonly loadTexts: (language: Language) => Promise<unknown>;
  };
}

/** The parts that a page may need after the first screen. */
export function partsAhead(config: LoginConfig, { tabs, social }: MainLayout): readonly PartName[] {
  const products = productsOf(config);
  const needed: Readonly<Record<Exclude<PartName, 'mails' | 'factors' | 'consent' | 'account'>, boolean>> = {
    login: true,
    marks: social.some(({ type }) => COMMON_MARKS[type] === undefined),
    phones: tabs.some((tab) => tab !== 'email'),
    passwords: products.includes('passwords'),
    wallets: products.includes('crypto'),
    passkeys: products.includes('passkeys'),
  };
  return (Object.keys(needed) as (keyof typeof needed)[]).filter((name) => needed[name]);
}

/** The loaded parts, shared by all widgets of a page. */
export const arrived: { -readonly [Name in PartName]?: Parts[Name] } = {};
const listeners = new Set<() => void>();

/** A loaded part, or null. */
export function partOf<Name extends PartName>(name: Name): Parts[Name] | null {
  return arrived[name] ?? null;
}

/** Adds a part with its texts and styles, and notifies the widgets of the page. The login is added before the others. */
export function addPart(name: PartName, part: Parts[PartName]): void {
  if (arrived[name]) return;
  addTexts(part.texts);
  for (const css of part.styles) {
    arrived.login?.adoptSheet();
    addStyles(css);
  }
  arrived[name] = part as never;
  for (const listener of listeners) listener();
}

/** Calls back when a part is loaded. Returns a function that unsubscribes. */
export function onArrival(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type AnyScreen = ComponentType<{ readonly screen: unknown; readonly state: ScreenState }>;

/** The component of a screen, or null until its part is loaded. */
export function lazyScreen(name: LazyScreenName): AnyScreen | null {
  const screens = partOf(PART_OF[name])?.screens as Readonly<Partial<Record<LazyScreenName, unknown>>> | undefined;
  return (screens?.[name] as AnyScreen | undefined) ?? null;
}

/** The current value, also on a server. Renders again when it changes. */
export const useStore = <Value>(subscribe: (changed: () => void) => () => void, read: () => Value): Value =>
  useSyncExternalStore(subscribe, read, read);

/** A loaded part, or null. Renders again when the part is loaded. */
export function usePart<Name extends PartName>(name: Name): Parts[Name] | null {
  return useStore(onArrival, () => partOf(name));
}
