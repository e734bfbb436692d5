import type { HostEvent, PorticoClient } from 'portico';

/** The page's properties for browser tests and the console. */
export interface Demo {
  readonly client: PorticoClient;
  /** The names of the screens shown so far. */
  readonly screens: readonly string[];
  /** The widget's events so far. */
  readonly events: readonly HostEvent[];
}

declare global {
  interface Window {
    __demo?: Demo;
  }
}

export interface WidgetHistory {
  readonly screens: string[];
  readonly events: HostEvent[];
}

/** Exposes the page's client to the console. Properties that are added to the result are exposed too. */
export function exposeDemo(client: PorticoClient): WidgetHistory {
  const seen: WidgetHistory = { screens: [], events: [] };
  window.__demo = { client, ...seen };
  return seen;
}

/** The final screens of the widget. */
export const FINISHED: ReadonlySet<string> = new Set([
  'OTPConfirmation',
  'PasswordConfirmation',
  'CryptoConfirmation',
  'PasskeyConfirmation',
  'PasskeyCreated',
  'AuthenticateFlowComplete',
]);

/** The screen with a question after the login. The account shows after the user's choice. */
export const OFFER = 'PasskeyOffer';

/** The time that the widget's success screen shows before the account replaces it. */
export const SUCCESS_MS = 800;
