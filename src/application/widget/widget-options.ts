import type { ConsentItem, ConsentSection, DescribedScope } from '../../domain/consent.ts';
import type { AuthError } from '../../domain/errors.ts';
import type { LoginConfig } from '../../domain/widget-config.ts';
import type { Core, Lazy } from '../services.ts';
import type { EventSink } from '../telemetry/event-sink.ts';
import type { HostEvent } from './host-event.ts';

/** The host's callbacks. One that throws is logged and does not disturb the widget. */
export interface WidgetCallbacks {
  readonly onEvent?: (event: HostEvent) => void;
  readonly onError?: (error: AuthError) => void;
}

/** What a widget is made of: the core of its client, and a way to load the rest. */
export interface WidgetServices extends Core {
  readonly events: EventSink;
  readonly lazy: () => Promise<Lazy>;
}

/** The host's options, which a remount may change. */
export interface WidgetOptions {
  readonly config: LoginConfig;
  readonly callbacks: WidgetCallbacks;
}

/** The options of a reset page. */
export interface ResetOptions extends WidgetOptions {
  /** The token of the emailed link. */
  readonly token: string;
}

/** What a host's own consent screen is made from: what the person can grant, and who asks. */
export interface ConsentManifestInput {
  readonly scopes: readonly DescribedScope[];
  readonly clientName: string;
}

type ManifestItem = string | ConsentItem | DescribedScope;

/** Items, each a line, a line with details or one of the scopes that were given, or sections of them under headers. */
export type ConsentManifest =
  | readonly ManifestItem[]
  | readonly (Omit<ConsentSection, 'items'> & { readonly items: readonly ManifestItem[] })[];

export interface IdentityProviderOptions extends WidgetOptions {
  readonly getIDPConsentManifest?: ((input: ConsentManifestInput) => ConsentManifest) | undefined;
  /**
   * A token of a trusted issuer, which makes the session in place of the one that there is. Unless both members are there,
   * it counts as not given.
   */
  readonly authTokenParams?:
    | { readonly trustedAuthToken: string | null | undefined; readonly tokenProfileID: string | null | undefined }
    | null
    | undefined;
  /**
   * Asks for consent also inside a frame of another page (ours). False unless given: a person in a frame cannot see which
   * site shows it.
   */
  readonly allowFraming?: boolean | undefined;
}
