import type { LoginConfig, PorticoUIClient, WidgetCallbacks, WidgetHandle } from 'portico';
import type { Choices } from '../parts/choices.ts';
import type { DemoConfig } from '../parts/config.ts';
import { withOwnTheme } from '../parts/theme.ts';
import { mountWidget } from '../parts/widget.ts';

interface Scene {
  readonly client: PorticoUIClient;
  readonly server: DemoConfig;
  readonly choices: Choices;
  readonly callbacks: WidgetCallbacks;
}

export interface ShownWidget {
  /** Whether the widget is for signed-in users. */
  readonly needsSession: boolean;
  readonly mount: (scene: Scene) => WidgetHandle;
}

const look = ({ choices: { styles, strings, language }, callbacks }: Scene) => ({
  elementId: '#widget',
  styles: withOwnTheme(styles),
  strings,
  language,
  callbacks,
});

/** The account page accepts a part of the login's configuration. */
const accountConfig = ({
  accountOptions,
  enableShadowDOM,
  sessionOptions,
  otpOptions,
  defaultCountry,
}: LoginConfig) => ({
  accountOptions,
  enableShadowDOM,
  sessionOptions,
  otpOptions,
  defaultCountry,
});

/** The authorization request of the demo's connected app. The widget reads it from the page's URL. */
const askForConsent = ({ app = location.origin }: DemoConfig): void => {
  const query = new URLSearchParams(location.search);
  const asked = {
    client_id: 'client-demo-relying-party',
    redirect_uri: `${app}/callback`,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'an-example',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) query.set(name, value);
  history.replaceState(null, '', `${location.pathname}?${query.toString()}`);
};

/** A consent screen in a frame, where only `allowFraming` permits consent. */
const consent = (
  options: (client: PorticoUIClient) => Partial<Parameters<PorticoUIClient['mountIdentityProvider']>[0]>,
): ShownWidget => ({
  needsSession: true,
  mount: (scene) => {
    askForConsent(scene.server);
    return scene.client.mountIdentityProvider({ ...look(scene), ...options(scene.client) });
  },
});

export const SHOWN = {
  login: {
    needsSession: false,
    mount: ({ client, choices, callbacks }) => mountWidget(client, choices, callbacks),
  },
  reset: {
    needsSession: false,
    mount: (scene) =>
      scene.client.mountResetPassword({
        ...look(scene),
        config: { ...scene.choices.config, products: ['passwords', 'emailMagicLinks'] },
        passwordResetToken: 'the-token-of-a-mail',
      }),
  },
  passkeys: {
    needsSession: true,
    mount: (scene) => scene.client.mountPasskeyRegistration({ ...look(scene), config: scene.choices.config }),
  },
  account: {
    needsSession: true,
    mount: (scene) => scene.client.mountAccount({ ...look(scene), config: accountConfig(scene.choices.config) }),
  },
  visitor: {
    needsSession: false,
    mount: (scene) => {
      const config = accountConfig(scene.choices.config);
      return scene.client.mountAccount({
        ...look(scene),
        // Not from the URL, because anyone can write it.
        config: { ...config, accountOptions: { ...config.accountOptions, signIn: '/embed' } },
      });
    },
  },
  consent: consent(() => ({ allowFraming: true, accountUrl: '/account' })),
  reporting: consent(() => ({ allowFraming: true, reportsBeforeLeaving: true })),
  framed: consent(() => ({})),
  manifest: consent(() => ({
    allowFraming: true,
    getIDPConsentManifest: ({ clientName }) => [
      `Lets ${clientName} see who you are.`,
      'Lets it write to you by email.',
    ],
  })),
  trusted: consent(() => ({
    allowFraming: true,
    authTokenParams: { trustedAuthToken: 'a-token-of-your-issuer', tokenProfileID: 'profile-test-example' },
  })),
} as const satisfies Readonly<Record<string, ShownWidget>>;

export type ShownName = keyof typeof SHOWN;

export const isShownName = (name: string): name is ShownName => Object.hasOwn(SHOWN, name);
