/** The web components of the reference's vanilla package, 6.x. A host registers them under its own tag names. */
import type { AnyClient } from './headless-client.ts';
import type { WidgetHandle } from '../mount.tsx';
import type {
  AuthTokenParams,
  Callbacks,
  IDPConsentManifestGenerator,
  LoginAppearanceOptions,
  StytchEvent,
} from './options.ts';
import type { StytchSDKUIError } from './errors.ts';
import type { PresentationConfig } from './theme.ts';
import { uiClient, type StytchUIClient } from './ui-client.ts';

/** Servers load this module, too, but register no element. */
const Element = typeof HTMLElement === 'undefined' ? (Object as unknown as typeof HTMLElement) : HTMLElement;
const DOMEvent = typeof Event === 'undefined' ? (Object as unknown as typeof Event) : Event;

/** The `stytch-event` that an element dispatches for its widget's events. */
export class StytchDOMEvent<Detail extends StytchEvent = StytchEvent> extends DOMEvent {
  readonly stytchEventType: Detail['type'];
  readonly stytchEventData: Detail['data'];

  constructor(event: Detail) {
    super('stytch-event', { composed: true });
    this.stytchEventType = event.type;
    this.stytchEventData = event.data;
  }
}

/** The `stytch-error` that an element dispatches for its widget's errors. */
export class StytchErrorEvent extends DOMEvent {
  constructor(readonly error: StytchSDKUIError) {
    super('stytch-error', { composed: true });
  }
}

/** The input of an element, as properties or through `render`. */
interface ElementProps {
  client?: AnyClient;
  config?: LoginAppearanceOptions['config'];
  presentation?: PresentationConfig;
  callbacks?: Callbacks;
  strings?: Readonly<Record<string, string | undefined>>;
  passwordResetToken?: string;
  getIDPConsentManifest?: IDPConsentManifestGenerator;
  authTokenParams?: AuthTokenParams;
}

const PROPS = [
  'client',
  'config',
  'presentation',
  'callbacks',
  'strings',
  'passwordResetToken',
  'getIDPConsentManifest',
  'authTokenParams',
] as const satisfies readonly (keyof ElementProps)[];

type Mount = (client: StytchUIClient, options: ElementProps & { readonly elementId: string }) => WidgetHandle;

export type StytchWebComponent<Props> = HTMLElement &
  Props & {
    /** Sets the properties and shows the widget with them. */
    render(props: Props): void;
    /** Renders pending changes immediately. */
    flushRender(): void;
  };
export type StytchWebComponentConstructor<Props> = new (init?: { shadow?: boolean }) => StytchWebComponent<Props>;

function widgetElement<Props extends ElementProps>(mount: Mount): StytchWebComponentConstructor<Props> {
  class WidgetElement extends Element {
    static readonly observedAttributes = ['shadow', 'passwordresettoken'];
    private readonly currentProps: ElementProps = {};
    private handle: WidgetHandle | null = null;
    private waiting = false;

    constructor(private readonly init: { shadow?: boolean } = {}) {
      super();
    }

    connectedCallback(): void {
      // A framework may have set properties before the element was registered.
      for (const name of PROPS) {
        if (!Object.hasOwn(this, name)) continue;
        const own = Reflect.get(this, name) as unknown;
        Reflect.deleteProperty(this, name);
        Reflect.set(this, name, own);
      }
      this.renderSoon();
    }

    disconnectedCallback(): void {
      this.handle?.unmount();
      this.handle = null;
    }

    attributeChangedCallback(): void {
      this.renderSoon();
    }

    render(props: ElementProps): void {
      Object.assign(this.currentProps, props);
      this.renderSoon();
    }

    flushRender(): void {
      this.waiting = false;
      const { client, presentation, callbacks = {}, ...rest } = this.currentProps;
      if (client === undefined || !this.isConnected) return;
      const token = this.currentProps.passwordResetToken ?? this.getAttribute('passwordResetToken');
      const shadow = this.init.shadow === true || this.hasAttribute('shadow');
      this.handle = mount(uiClient(client), {
        ...rest,
        ...(token === null ? {} : { passwordResetToken: token }),
        presentation: shadow
          ? { ...presentation, options: { ...presentation?.options, enableShadowDOM: true } }
          : (presentation ?? {}),
        callbacks: {
          onEvent: (event) => {
            callbacks.onEvent?.(event);
            this.dispatchEvent(new StytchDOMEvent(event));
          },
          onError: (error) => {
            callbacks.onError?.(error);
            this.dispatchEvent(new StytchErrorEvent(error));
          },
        },
        // No selector finds an element in a shadow root.
        elementId: this as unknown as string,
      });
    }

    private renderSoon(): void {
      if (this.waiting) return;
      this.waiting = true;
      queueMicrotask(() => {
        if (this.waiting) this.flushRender();
      });
    }
  }
  for (const name of PROPS) {
    Object.defineProperty(WidgetElement.prototype, name, {
      configurable: true,
      get(this: { currentProps: ElementProps }) {
        return this.currentProps[name];
      },
      set(this: WidgetElement, value: never) {
        this.render({ [name]: value });
      },
    });
  }
  return WidgetElement as unknown as StytchWebComponentConstructor<Props>;
}

/** The properties of every widget of 6.x. */
export interface SDKConfig extends Pick<ElementProps, 'presentation' | 'callbacks' | 'strings'> {
  client: AnyClient;
  config: LoginAppearanceOptions['config'];
}
export interface ResetPasswordSDKConfig extends SDKConfig {
  passwordResetToken?: string;
}
export interface IDPSDKConfig extends Omit<SDKConfig, 'config'> {
  getIDPConsentManifest?: IDPConsentManifestGenerator;
  authTokenParams?: AuthTokenParams;
}

/** The login. */
export const StytchUI = /* @__PURE__ */ widgetElement<SDKConfig>((client, { config = {}, ...rest }) =>
  client.mountLogin({ ...rest, config }),
);
/** The page that a reset mail leads to. */
export const StytchResetPassword = /* @__PURE__ */ widgetElement<ResetPasswordSDKConfig>(
  (client, { config = {}, passwordResetToken = '', ...rest }) =>
    client.mountResetPassword({ ...rest, config, passwordResetToken }),
);
/** The passkeys of the signed-in user. */
export const StytchPasskeyRegistration = /* @__PURE__ */ widgetElement<SDKConfig>((client, { config = {}, ...rest }) =>
  client.mountPasskeyRegistration({ ...rest, config }),
);
/** The consent or logout page for another app. */
export const StytchIdentityProvider = /* @__PURE__ */ widgetElement<IDPSDKConfig>((client, props) =>
  client.mountIdentityProvider({ ...props, config: {} }),
);
