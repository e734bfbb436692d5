import type { PorticoUIClient } from 'portico';
import type { By, Options } from './options.ts';

type Mount = Parameters<PorticoUIClient['mountLogin']>[0];
export type Widget = ReturnType<PorticoUIClient['mountLogin']>;

const SESSION = { sessionOptions: { sessionDurationMinutes: 60 } };

/** What a host writes to sign people in by a six-digit code. */
const passcode: Mount['config'] = {
  products: ['otp'],
  otpOptions: { methods: ['email'], expirationMinutes: 5 },
  ...SESSION,
};

/** What a host writes to sign people in by a link, which leads to its own page. */
const link = (): Mount['config'] => ({
  products: ['emailMagicLinks'],
  emailMagicLinksOptions: {
    loginRedirectURL: `${location.origin}/authenticate`,
    signupRedirectURL: `${location.origin}/authenticate`,
  },
  ...SESSION,
});

/** A sample of a host's own look. */
const BRAND = {
  fontFamily: 'Georgia, "Times New Roman", serif',
  container: { backgroundColor: '#fffdf8', borderColor: '#b08d57', borderRadius: '14px' },
  colors: { primary: '#3a1d4d', secondary: '#6b5573' },
  buttons: {
    primary: { backgroundColor: '#5b2a86', textColor: '#ffffff', borderColor: '#5b2a86', borderRadius: '22px' },
  },
  inputs: { borderColor: '#8a6d8f', borderRadius: '10px' },
} satisfies Mount['styles'];

const stylesFor = (options: Options): Mount['styles'] => ({
  ...(options.brand ? BRAND : {}),
  ...(options.header ? {} : { hideHeaderText: true }),
});

/** Mounts the login widget into `#widget`; mounting again shows it anew in the same place. */
export function mountWidget(
  client: PorticoUIClient,
  by: By,
  options: Options,
  callbacks: NonNullable<Mount['callbacks']>,
): Widget {
  return client.mountLogin({
    elementId: '#widget',
    config: { ...(by === 'link' ? link() : passcode), enableShadowDOM: options.shadow },
    styles: stylesFor(options),
    callbacks,
  });
}
