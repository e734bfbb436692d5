import type { HostEvent, PorticoClient } from 'portico';

/** What the browser tests and the console of a curious visitor see of a page. */
export interface Demo {
  readonly client: PorticoClient;
  /** The names of the screens shown so far. */
  readonly screens: readonly string[];
  /** What the widget told its host so far. */
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

/** Shows the page's client to the console; what is put into the answer shows there too. */
export function exposeDemo(client: PorticoClient): WidgetHistory {
  const seen: WidgetHistory = { screens: [], events: [] };
  window.__demo = { client, ...seen };
  return seen;
}

/** The screens after which the widget has nothing more to do. */
export const FINISHED: ReadonlySet<string> = new Set([
  'OTPConfirmation',
  'PasswordConfirmation',
  'CryptoConfirmation',
  'PasskeyConfirmation',
  'PasskeyCreated',
  'AuthenticateFlowComplete',
]);

/** The screen that asks the person something after the login: the account waits for the answer. */
export const OFFER = 'PasskeyOffer';

/** How long the widget's own success stays before the account takes its place. */
export const SUCCESS_MS = 800;
